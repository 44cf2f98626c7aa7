//! SQLite's failures, in the terms that both engines share.

use rusqlite::{ErrorCode, ffi};

use crate::fault::Fault;

/// SQLite's failure in the terms that both engines share.
pub(crate) fn fault(error: &rusqlite::Error) -> Fault {
    let rusqlite::Error::SqliteFailure(failure, message) = error else {
        return Fault::Defect(error.to_string());
    };
    let message = message.clone().unwrap_or_else(|| error.to_string());
    match failure.code {
        ErrorCode::ConstraintViolation => Fault::Constraint(constraint_name(failure.extended_code, &message)),
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Fault::Unavailable(message),
        ErrorCode::DiskFull
        | ErrorCode::SystemIoFailure
        | ErrorCode::CannotOpen
        | ErrorCode::OutOfMemory
        | ErrorCode::ReadOnly
        | ErrorCode::DatabaseCorrupt
        | ErrorCode::NotADatabase
        | ErrorCode::FileLockingProtocolFailed => Fault::Unavailable(message),
        // By nothing but the time limit.
        ErrorCode::OperationInterrupted => Fault::TooLong(message),
        _ => Fault::Defect(message),
    }
}

/// The name that PostgreSQL would give the violated constraint. SQLite tells the columns of a unique or primary
/// key (`UNIQUE constraint failed: pages.tenant_id, pages.slug`), and the name of a check.
fn constraint_name(extended_code: i32, message: &str) -> String {
    let Some((_, places)) = message.split_once("constraint failed: ") else {
        return message.to_owned();
    };
    let mut columns = places.split(", ").filter_map(|place| place.split_once('.'));
    let Some((table, first)) = columns.next() else {
        return places.to_owned();
    };
    match extended_code {
        ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID => format!("{table}_pkey"),
        ffi::SQLITE_CONSTRAINT_UNIQUE => {
            let rest: String = columns.map(|(_, column)| format!("_{column}")).collect();
            format!("{table}_{first}{rest}_key")
        }
        _ => places.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn violated_constraints_are_named_as_postgresql_names_them() {
        let name = constraint_name(
            ffi::SQLITE_CONSTRAINT_UNIQUE,
            "UNIQUE constraint failed: pages.tenant_id, pages.slug",
        );
        assert_eq!(name, "pages_tenant_id_slug_key");
        let name = constraint_name(
            ffi::SQLITE_CONSTRAINT_PRIMARYKEY,
            "UNIQUE constraint failed: pages.tenant_id, pages.page_id",
        );
        assert_eq!(name, "pages_pkey");
        let name = constraint_name(ffi::SQLITE_CONSTRAINT_CHECK, "CHECK constraint failed: pages_name_check");
        assert_eq!(name, "pages_name_check");
    }

    #[test]
    fn outages_are_told_from_defects() {
        let of = |code| fault(&rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        for code in [ffi::SQLITE_FULL, ffi::SQLITE_IOERR_FSYNC, ffi::SQLITE_BUSY, ffi::SQLITE_PROTOCOL] {
            assert!(matches!(of(code), Fault::Unavailable(_)), "{code}");
        }
        assert!(matches!(of(ffi::SQLITE_ERROR), Fault::Defect(_)));
    }
}
