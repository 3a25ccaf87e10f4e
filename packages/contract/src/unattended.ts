/**
 * Marks a request that the page sent on its own while the user was idle. Such a request does not keep the session alive.
 */
export const UNATTENDED_HEADER = 'x-unattended'
