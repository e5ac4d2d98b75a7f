//! Landlock: no file at all, no TCP port, no signal to a process outside.
//!
//! It is a second layer to the filter of system calls, and is missing in kernels before 5.13 and where it is not switched on.

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, Ruleset, RulesetAttr as _, RulesetError, Scope,
};

/// Handles whatever this kernel can, and allows none of it.
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
    // A required sandbox includes the filter of system calls, which refuses all of this by itself.
    let _filtered_anyway = restrict();
}
