//! Ports behind which something listens that is not HTTP and may take a request for orders.
//!
//! Text protocols read a request line by line: mail, chat, printers, memory caches. Browsers refuse to call them for this reason; here are
//! theirs, and the ports of databases and of machines' administration.

/// In order.
const CLOSED: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103,
    104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 162, 179, 389, 427, 445, 465,
    512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 623, 631, 636, 873, 989, 990,
    993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3128, 3306, 3389, 3659, 4045, 4190,
    5060, 5061, 5432, 5900, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9042, 9100, 10_080,
    10_250, 11_211, 27_017,
];

/// Whether a request may go to a port.
pub fn is_open_port(port: u16) -> bool {
    CLOSED.binary_search(&port).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_speaks_no_http_is_closed_and_the_rest_is_open() {
        assert!(CLOSED.is_sorted_by(|a, b| a < b), "the list is searched by halves");
        assert!([0, 22, 25, 53, 3306, 5432, 6379, 11_211].into_iter().all(|port| !is_open_port(port)));
        assert!([80, 443, 3000, 4000, 8000, 8080, 8443, 9000, 65_535].into_iter().all(is_open_port));
    }
}
