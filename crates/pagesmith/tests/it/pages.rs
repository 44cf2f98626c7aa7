//! `/v0/pages`.

mod create;
