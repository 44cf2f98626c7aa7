//! Values, rows, failures and the work of a connection, between us and PostgreSQL's protocol.

use std::error::Error as StdError;
use std::sync::Arc;

use bytes::BytesMut;
use futures_util::TryStreamExt;
use pagesmith_model::{Error, Result};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Connection, Statement};

use crate::engine::postgres::refusal;
use crate::extent::ends_at;
use crate::fault::Fault;
use crate::row::Row;
use crate::value::Value;

/// Lets a connection work, unless the server is one that cannot be used.
pub(crate) fn begin<S, T>(client: Client, connection: Connection<S, T>) -> Result<Client, Fault>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    T: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    refusal::check_version(connection.parameter("server_version").unwrap_or_default())?;
    tokio::spawn(drive(connection));
    Ok(client)
}

/// Carries what is sent and answered, until the client is dropped or the server goes away.
async fn drive(connection: impl Future<Output = Result<(), tokio_postgres::Error>>) {
    if let Err(error) = connection.await {
        tracing::warn!(error = %fault(&error), "a database connection ended");
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
            "23" => Fault::Constraint(answer.constraint().unwrap_or_default().to_owned()),
            // Connection, resources, operator intervention, input and output.
            "08" | "53" | "57" | "58" | "55" => Fault::Unavailable(why),
            _ => Fault::Defect(why),
        },
    }
}
