//! `#[endpoint]`: makes a handler's name and documentation available to the route table.
//!
//! A handler is documented once, by its doc comment. This attribute leaves the function as it is and adds a module of the
//! same name beside it, with two constants. Modules and functions have separate namespaces, so the names do not clash, and
//! whoever can name the handler can name its constants.
//!
//! The items of the module:
//!
//! - `OPERATION`: the function's name in camel case, which is the operation id: `list_pages` is `listPages`
//! - `DOC`: the doc comment, with one line of text per line. Each line begins with the space that follows `///`
//!
//! ```
//! use pagesmith_endpoint::endpoint;
//!
//! /// Lists the pages.
//! #[endpoint]
//! async fn list_pages() {}
//!
//! assert_eq!(list_pages::OPERATION, "listPages");
//! assert_eq!(list_pages::DOC, " Lists the pages.");
//! ```
//!
//! A handler without a doc comment does not compile:
//!
//! ```compile_fail
//! #[pagesmith_endpoint::endpoint]
//! async fn list_pages() {}
//! ```

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Adds a module with the operation id and the documentation of a handler. See the crate's documentation.
#[proc_macro_attribute]
pub fn endpoint(arguments: TokenStream, handler: TokenStream) -> TokenStream {
    let module = match arguments.is_empty() {
        true => module(handler.clone()),
        false => Err("#[endpoint] takes no arguments"),
    };
    let added = module.unwrap_or_else(|reason| format!("compile_error!({reason:?});"));
    let added: TokenStream = added.parse().unwrap_or_default();
    [handler, added].into_iter().collect()
}

/// The source text of the module that is added.
fn module(handler: TokenStream) -> Result<String, &'static str> {
    let mut doc_lines = Vec::new();
    let mut tokens = handler.into_iter();
    for token in tokens.by_ref() {
        match token {
            TokenTree::Group(group) => doc_lines.extend(doc_line(&group)),
            TokenTree::Ident(word) if word.to_string() == "fn" => break,
            _ => {}
        }
    }
    let Some(TokenTree::Ident(name)) = tokens.next() else {
        return Err("#[endpoint] belongs on a function");
    };
    if doc_lines.is_empty() {
        return Err("the handler of an endpoint needs a doc comment: a summary, then a description");
    }
    let name = name.to_string();
    let operation = camel_case(&name);
    // The literals are put together by the compiler, so that nothing has to be unescaped here.
    let doc = doc_lines.join(", \"\\n\", ");
    Ok(format!(
        "pub(crate) mod {name} {{
            pub(crate) const OPERATION: &str = {operation:?};
            pub(crate) const DOC: &str = concat!({doc});
        }}"
    ))
}

/// The literal of `[doc = "…"]`, which is what a line of a doc comment is to a macro.
fn doc_line(attribute: &Group) -> Option<String> {
    if attribute.delimiter() != Delimiter::Bracket {
        return None;
    }
    let mut tokens = attribute.stream().into_iter();
    let name = tokens.next()?.to_string();
    let literal = tokens.nth(1)?;
    (name == "doc").then(|| literal.to_string())
}

fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut camel, word| {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
        camel
    })
}

#[cfg(test)]
mod tests {
    use super::camel_case;

    #[test]
    fn an_operation_is_called_like_its_handler() {
        for (handler, operation) in
            [("home", "home"), ("list_pages", "listPages"), ("get_page_group_link", "getPageGroupLink")]
        {
            assert_eq!(camel_case(handler), operation);
        }
    }
}
