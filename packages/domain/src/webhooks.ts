import { FACT_KINDS, type FactKind } from './facts.ts'
import { NOTICE_KINDS } from './partner-postback.ts'

/** The facts that programs of the network can hear of. What somebody changed of their own account is theirs. */
export const WEBHOOK_FACTS = FACT_KINDS.filter((kind) => kind !== 'account.changed')
export type WebhookFact = Exclude<FactKind, 'account.changed'>

/** What a webhook can tell of: sales, and facts. In the order of the form. */
export const WEBHOOK_KINDS = [...NOTICE_KINDS, ...WEBHOOK_FACTS]
export type WebhookKind = (typeof WEBHOOK_KINDS)[number]
