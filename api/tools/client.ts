// A sample client of the API, compiled by `cargo x contract-tools` against the types made from api/openapi.json.
// It is never run: that it compiles shows that the document says enough for a typed client. The lines that expect an
// error show that the types are closed; if the document became vague there, the error would be missing.

import createClient from "openapi-fetch";
import type { components, paths } from "pagesmith";

type Page = components["schemas"]["Page"];
type CreatePageRequest = components["schemas"]["CreatePageRequest"];

export function connect(baseUrl: string, key: string) {
  return createClient<paths>({ baseUrl, headers: { "x-api-key": key } });
}

type Client = ReturnType<typeof connect>;

/** What has a default may be left out; what has none may not. */
export const request: CreatePageRequest = {
  name: "Spring launch",
  pageContext: "Why teams move to us in spring",
  brandId: "",
  actions: [{ actionType: "open-url", purpose: "Book a call", buttonTitle: "Book", url: "https://example.com/book" }],
  actionCardWidgets: [],
  scripts: [],
};

// @ts-expect-error: a name is required
export const nameless: CreatePageRequest = { ...request, name: undefined };

// @ts-expect-error: a page type is one of five words
export const wrong: CreatePageRequest = { ...request, pageType: "newsletter" };

/** Creates a page and reads it back by its id. */
export async function create(client: Client): Promise<Page> {
  const created = await client.POST("/v0/pages", { body: request });
  if (created.error) {
    throw new Error(`${created.error.code}: ${created.error.detail} (${created.error.requestId})`);
  }
  const read = await client.GET("/v0/pages/{page_id}", { params: { path: { page_id: created.data.pageId } } });
  if (!read.data) {
    throw new Error("the page is gone");
  }
  return read.data;
}

/** Walks all pages, a cursor at a time. */
export async function names(client: Client): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { data } = await client.GET("/v0/pages", { params: { query: { cursor, limit: 100 } } });
    found.push(...(data?.items ?? []).map((page) => page.name));
    cursor = data?.nextCursor ?? undefined;
  } while (cursor);
  return found;
}

/** The states of a page are known words, so that a switch over them can be complete. */
export function shown(page: Page): boolean {
  switch (page.status) {
    case "published":
      return page.archivedAt === null && page.deletedAt === null;
    case "draft":
    case "archived":
      return false;
  }
}

export async function link(client: Client, page: Page): Promise<string | undefined> {
  const { data } = await client.GET("/v0/pages/{page_id}/link", { params: { path: { page_id: page.pageId } } });
  return data?.url;
}

// @ts-expect-error: there is no such path
export const nowhere = (client: Client) => client.GET("/v0/nowhere");
