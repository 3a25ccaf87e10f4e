import { FACT_KINDS, type FactKind } from './facts.ts'
import { NOTICE_KINDS } from './partner-postback.ts'

/**
 * What is of an account alone: what was changed of it, and that its postbacks, or these webhooks themselves, fail. And what
 * people ask of each other.
 */
const OF_ACCOUNTS = [
  'account.changed',
  'factor.changed',
  'password.asked',
  'staff-password.asked',
  'factor.reset',
  'factor.recovered',
  'sign-in.noticed',
  'sessions.ended',
  'postback.failed',
  'decision.wanted',
] as const
type OfAccounts = (typeof OF_ACCOUNTS)[number]

/** The facts that programs of the network can hear of. */
export const WEBHOOK_FACTS = FACT_KINDS.filter(
  (kind): kind is WebhookFact => !OF_ACCOUNTS.some((one) => one === kind),
)
export type WebhookFact = Exclude<FactKind, OfAccounts>

/** What a webhook can tell of: sales, and facts. In the order of the form. */
export const WEBHOOK_KINDS = [...NOTICE_KINDS, ...WEBHOOK_FACTS]
export type WebhookKind = (typeof WEBHOOK_KINDS)[number]
