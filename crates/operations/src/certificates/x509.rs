//! What is read of a certificate: from when to when it is valid, and by which name its authority knows it (RFC 9773, 4.1).

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use pagesmith_model::Timestamp;
use pagesmith_model::certificate::Validity;
use x509_cert::Certificate;
use x509_cert::der::Decode as _;
use x509_cert::ext::pkix::AuthorityKeyIdentifier;
use x509_cert::time::Time;

/// What matters of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// From when to when it is valid.
    pub validity: Validity,
    /// By which name its authority is asked when to renew it; nothing if it does not name its authority's key.
    pub renewal_id: Option<String>,
}

impl Facts {
    /// Reads the first certificate of a text in PEM form.
    pub fn of_pem(pem: &[u8]) -> Option<Facts> {
        let text = std::str::from_utf8(pem).ok()?;
        let (_, rest) = text.split_once("-----BEGIN CERTIFICATE-----")?;
        let (body, _) = rest.split_once("-----END CERTIFICATE-----")?;
        let body: String = body.chars().filter(|c| !c.is_whitespace()).collect();
        Facts::of_der(&STANDARD.decode(body).ok()?)
    }

    fn of_der(der: &[u8]) -> Option<Facts> {
        let certificate = Certificate::from_der(der).ok()?;
        let inner = certificate.tbs_certificate;
        let validity = Validity {
            not_before: instant(&inner.validity.not_before),
            not_after: instant(&inner.validity.not_after),
        };
        let key =
            inner.get::<AuthorityKeyIdentifier>().ok().flatten().and_then(|(_, found)| found.key_identifier);
        let renewal_id = key.map(|key| {
            let [key, serial] =
                [key.as_bytes(), inner.serial_number.as_bytes()].map(|part| URL_SAFE_NO_PAD.encode(part));
            format!("{key}.{serial}")
        });
        Some(Facts { validity, renewal_id })
    }
}

fn instant(time: &Time) -> Timestamp {
    let micros = time.to_unix_duration().as_micros();
    Timestamp::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, SerialNumber, date_time_ymd};

    use super::*;

    /// A certificate in PEM form with these serial number and authority's key identifier.
    fn certificate(serial: &[u8], key_identifier: &[u8]) -> String {
        let authority_key = KeyPair::generate().unwrap();
        let mut authority = CertificateParams::new(vec![]).unwrap();
        authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        authority.key_identifier_method = rcgen::KeyIdMethod::PreSpecified(key_identifier.to_vec());
        let issuer = Issuer::new(authority, authority_key);
        let mut params = CertificateParams::new(vec!["go.acme.example".to_owned()]).unwrap();
        params.use_authority_key_identifier_extension = true;
        params.serial_number = Some(SerialNumber::from_slice(serial));
        (params.not_before, params.not_after) = (date_time_ymd(2026, 3, 1), date_time_ymd(2061, 3, 1));
        params.signed_by(&KeyPair::generate().unwrap(), &issuer).unwrap().pem()
    }

    #[test]
    fn a_certificate_is_named_as_the_standard_s_example_is() {
        // RFC 9773, 4.1: the serial number has its leading zero.
        let serial = [0x87, 0x65, 0x43, 0x21];
        let key = [
            0x69, 0x88, 0x5B, 0x6B, 0x87, 0x46, 0x40, 0x41, 0xE1, 0xB3, 0x7B, 0x84, 0x7B, 0xA0, 0xAE, 0x2C,
            0xDE, 0x01, 0xC8, 0xD4,
        ];
        let facts = Facts::of_pem(certificate(&serial, &key).as_bytes()).unwrap();
        assert_eq!(facts.renewal_id.as_deref(), Some("aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE"));
        let seconds = |at: Timestamp| at.as_micros() / 1_000_000;
        assert_eq!(seconds(facts.validity.not_before), 1_772_323_200);
        assert_eq!(seconds(facts.validity.not_after), 2_876_860_800);
    }

    #[test]
    fn what_is_no_certificate_has_no_facts() {
        for text in [
            "",
            "-----BEGIN CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            "-----BEGIN CERTIFICATE-----\n!\n-----END CERTIFICATE-----\n",
        ] {
            assert_eq!(Facts::of_pem(text.as_bytes()), None, "{text}");
        }
        assert_eq!(Facts::of_pem(&[0xff, 0xfe]), None);
    }
}
