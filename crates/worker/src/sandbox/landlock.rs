//! Landlock: denies all files, TCP ports, and signals to other processes.
//!
//! It is a second layer in addition to the system call filter. Kernels before 5.13 lack it, and it may be disabled.

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, RulesetError, Scope,
};

/// Handles all access rights of this kernel, and allows none of them.
pub(super) fn deny_all() {
    let restrict = || -> Result<(), RulesetError> {
        let abi = ABI::V6;
        let ruleset = Ruleset::default()
            .handle_access(AccessFs::from_all(abi))?
            .handle_access(AccessNet::from_all(abi))?
            .scope(Scope::from_all(abi))?;
        ruleset.create()?.restrict_self()?;
        Ok(())
    };
    // A required sandbox includes the system call filter, which refuses all of this by itself.
    let _filtered_anyway = restrict();
}
