//! Values, rows, failures and the work of a connection, between us and PostgreSQL's protocol.

use std::error::Error as StdError;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::BytesMut;
use futures_util::TryStreamExt;
use pagesmith_model::{Error, Result};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{AsyncMessage, Client, Connection, Statement};

use crate::connection::postgres::refusal;
use crate::extent::ends_at;
use crate::fault::Fault;
use crate::row::Row;
use crate::value::Value;

/// Lets a connection work, unless the server is one that cannot be used.
pub(crate) fn begin<S, T>(client: Client, connection: Connection<S, T>) -> Result<(Client, Notices), Fault>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    refusal::check_version(connection.parameter("server_version").unwrap_or_default())?;
    let notices = Notices::default();
    tokio::spawn(drive(connection, notices.clone()));
    Ok((client, notices))
}

/// The codes of the warnings that a server has sent, until they are taken.
#[derive(Debug, Clone, Default)]
pub(crate) struct Notices(Arc<Mutex<Vec<SqlState>>>);

impl Notices {
    /// How many are kept; a server may send any number.
    const MOST: usize = 64;

    fn note(&self, code: &SqlState) {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if codes.len() < Notices::MOST {
            codes.push(code.clone());
        }
    }

    /// Those since the last call.
    pub(crate) fn take(&self) -> Vec<SqlState> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Carries what is sent and answered, until the client is dropped or the server goes away.
async fn drive<S, T>(mut connection: Connection<S, T>, notices: Notices)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    loop {
        match poll_fn(|context| connection.poll_message(context)).await {
            Some(Ok(AsyncMessage::Notice(notice))) => {
                tracing::debug!(notice = notice.message(), "the database says");
                notices.note(notice.code());
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => {
                tracing::warn!(error = %fault(&error), "a database connection ended");
                return;
            }
            None => return,
        }
    }
}

impl ToSql for Value {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn StdError + Sync + Send>> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Int(value) if *ty == Type::INT4 => i32::try_from(*value)?.to_sql(ty, out),
            Value::Int(value) => value.to_sql(ty, out),
            Value::Text(value) => value.to_sql(ty, out),
            Value::Bytes(value) => value.to_sql(ty, out),
            Value::Bool(value) => value.to_sql(ty, out),
        }
    }

    fn accepts(ty: &Type) -> bool {
        [Type::INT4, Type::INT8, Type::TEXT, Type::VARCHAR, Type::BYTEA, Type::BOOL].contains(ty)
    }

    to_sql_checked!();
}

/// The rows of an answer, no more of them than those with the first so many bytes and the one behind: what follows is dropped as it
/// arrives.
pub(crate) async fn rows(
    client: &Client,
    statement: &Statement,
    values: &[&(dyn ToSql + Sync)],
    most_bytes: usize,
    names: &Arc<[String]>,
) -> Result<Result<Vec<Row>>, tokio_postgres::Error> {
    if most_bytes == usize::MAX {
        let answer = client.query(statement, values).await?;
        return Ok(answer.iter().map(|found| row(found, names)).collect());
    }
    let mut answer = std::pin::pin!(client.query_raw(statement, values.iter().copied()).await?);
    let (mut rows, mut bytes) = (Vec::new(), 0);
    while let Some(found) = answer.try_next().await? {
        let found = match row(&found, names) {
            Ok(found) => found,
            Err(error) => return Ok(Err(error)),
        };
        bytes += found.bytes();
        rows.push(found);
        if ends_at(rows.len(), bytes, most_bytes) {
            break;
        }
    }
    Ok(Ok(rows))
}

/// The row in our own terms.
fn row(row: &tokio_postgres::Row, names: &Arc<[String]>) -> Result<Row> {
    let values = row.columns().iter().enumerate().map(|(at, column)| {
        let value = match *column.type_() {
            Type::INT8 => row.try_get::<_, Option<i64>>(at).map(|value| value.map(Value::Int)),
            Type::INT4 => {
                row.try_get::<_, Option<i32>>(at).map(|value| value.map(|value| Value::Int(value.into())))
            }
            Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(at).map(|value| value.map(Value::Bytes)),
            Type::BOOL => row.try_get::<_, Option<bool>>(at).map(|value| value.map(Value::Bool)),
            _ => row.try_get::<_, Option<String>>(at).map(|value| value.map(Value::Text)),
        };
        value.map(|value| Some(value.unwrap_or(Value::Null))).map_err(Error::internal)
    });
    Ok(Row::new(Arc::clone(names), values.collect::<Result<_>>()?))
}

/// The declared name of a violated constraint: from the error's field or, where that is empty, from its message. Citus appends the number of
/// the shard (`pages_tenant_id_slug_key_102008`). PostgreSQL names the index of a partition by the partition and the columns
/// (`pages_p3_tenant_id_slug_key`, or `…_idx` if no constraint made it), which our names do with the table.
fn constraint(field: Option<&str>, message: &str, table: Option<&str>) -> String {
    let of_message = || message.split_once("constraint \"")?.1.split('"').next();
    let name = field.filter(|name| !name.is_empty()).or_else(of_message).unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let partition = table.and_then(|table| {
        let (whole, number) = table.rsplit_once("_p")?;
        let columns = name.strip_prefix(table).filter(|_| is_number(number))?;
        Some((whole, columns))
    });
    if let Some((whole, columns)) = partition {
        let columns =
            columns.strip_suffix("_idx").map_or_else(|| columns.to_owned(), |all| format!("{all}_key"));
        return format!("{whole}{columns}");
    }
    match name.rsplit_once('_') {
        Some((declared, number)) if is_number(number) => declared.to_owned(),
        _ => name.to_owned(),
    }
}

/// What it means that COMMIT failed with an error that says nothing by itself. Citus commits on its nodes one after the other: it passes on
/// what a node said as a notice, and answers `XX000 could not commit transaction for shard 102008`.
pub(crate) fn failed_commit(error: &tokio_postgres::Error, notices: &[SqlState]) -> Fault {
    let fault = fault(error);
    if error.code() != Some(&SqlState::INTERNAL_ERROR) {
        return fault;
    }
    let conflicts = [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED];
    if notices.iter().any(|notice| conflicts.contains(notice)) {
        Fault::Retry(fault.to_string())
    } else {
        // Some nodes may have committed.
        Fault::Lost(fault.to_string())
    }
}

/// PostgreSQL's failure in the terms that both engines share.
pub(crate) fn fault(error: &tokio_postgres::Error) -> Fault {
    let Some(answer) = error.as_db_error() else {
        let why =
            StdError::source(error).map_or_else(|| error.to_string(), |source| format!("{error}: {source}"));
        let spoken_to =
            error.is_closed() || StdError::source(error).is_some_and(<dyn StdError>::is::<std::io::Error>);
        return if spoken_to { Fault::Lost(why) } else { Fault::Defect(why) };
    };
    let why = format!("{} ({})", answer.message(), answer.code().code());
    match *answer.code() {
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => Fault::Retry(why),
        SqlState::ADMIN_SHUTDOWN
        | SqlState::CRASH_SHUTDOWN
        | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT
        // It has become a standby: a new connection may find the one that writes now.
        | SqlState::READ_ONLY_SQL_TRANSACTION => Fault::Lost(why),
        // `statement_timeout`, or an operator.
        SqlState::QUERY_CANCELED => Fault::TooLong(why),
        _ => match &answer.code().code()[..2] {
            "23" => Fault::Constraint(constraint(answer.constraint(), answer.message(), answer.table())),
            // Connection, resources, operator intervention, input and output.
            "08" | "53" | "57" | "58" | "55" => Fault::Unavailable(why),
            _ => Fault::Defect(why),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violated_constraint_is_found_by_its_declared_name() {
        let unnamed = "duplicate key value violates unique constraint \"persons_tenant_id_email_key_102008\"";
        for (field, message, table, name) in [
            (Some("pages_tenant_id_slug_key"), "", Some("pages"), "pages_tenant_id_slug_key"),
            (Some("pages_p3_tenant_id_slug_key"), "", Some("pages_p3"), "pages_tenant_id_slug_key"),
            (Some("persons_p0_tenant_id_email_idx"), "", Some("persons_p0"), "persons_tenant_id_email_key"),
            (Some("persons_tenant_id_email_key_102008"), unnamed, None, "persons_tenant_id_email_key"),
            (None, unnamed, Some("persons_102008"), "persons_tenant_id_email_key"),
            (Some(""), unnamed, None, "persons_tenant_id_email_key"),
            (Some("plain"), "", Some("page_previews"), "plain"),
            (Some("page_previews_a_key"), "", Some("page_previews"), "page_previews_a_key"),
            (None, "null value in column \"name\" violates not-null constraint", None, ""),
        ] {
            assert_eq!(constraint(field, message, table), name, "{field:?} {message}");
        }
    }
}
