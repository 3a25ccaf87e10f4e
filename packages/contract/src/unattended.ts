/**
 * A request with this header does not count as use of its session: the page made it by itself, while nobody was there.
 * It can only let a session end sooner.
 */
export const UNATTENDED_HEADER = 'x-unattended'
