//! Recognizes connections that failed because of the provider's certificate.

use std::error::Error;
use std::io;

use rustls::CertificateError;

use crate::model::CertificateFault;

/// The fault of the certificate; `None` if the error has another cause.
pub(super) fn fault(error: &(dyn Error + 'static)) -> Option<CertificateFault> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(rustls::Error::InvalidCertificate(fault)) = error.downcast_ref() {
            return Some(of(fault));
        }
        // The source of an I/O error is that of the error in it.
        let inner = error.downcast_ref().and_then(io::Error::get_ref);
        next = match inner {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}

fn of(error: &CertificateError) -> CertificateFault {
    match error {
        CertificateError::UnknownIssuer => CertificateFault::Issuer,
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            CertificateFault::Host
        }
        CertificateError::Expired
        | CertificateError::ExpiredContext { .. }
        | CertificateError::NotValidYet
        | CertificateError::NotValidYetContext { .. } => CertificateFault::Time,
        // The type of the inner error is not public.
        CertificateError::Other(other) if format!("{other:?}").contains("CaUsedAsEndEntity") => {
            CertificateFault::Authority
        }
        _ => CertificateFault::Other,
    }
}
