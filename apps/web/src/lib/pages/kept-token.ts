import { keptInTab } from './kept-in-tab.ts'

/**
 * The token of a mailed link that counts only in a session of its account, kept in this tab while its holder signs in. Nobody else
 * can use it, so it outlives a change of account.
 */
const kept = keptInTab('tallyroom.link-token')

export const readKeptToken = kept.read
/** Keeps a token; an empty one drops it. */
export const keepToken = kept.keep
