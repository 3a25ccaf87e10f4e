import type { WebhookKind } from '@tallyroom/domain/webhooks'

/** What a delivery tells of. */
export const eventLabels = {
  'sale.recorded': 'Sale',
  'approval.recorded': 'Approval',
  'bonus.recorded': 'Bonus',
  'sale.reversed': 'Reversal',
  'sale.adjusted': 'Partial refund',
  'agent.approved': 'Agent may sell',
  'agent.suspended': 'Agent suspended',
  'statement.closed': 'Statement',
  'payment.sent': 'Payment sent',
  'payment.failed': 'Payment failed',
  'payment.returned': 'Payment came back',
  'payment.contradicted': 'Payment refused as well',
  'payment.outside': 'Payment outside payment runs',
  'money.received': 'Money received',
  'pay.held': 'Pay on hold',
  'pay.released': 'Pay released',
  'rate.changed': 'Rates changed',
  'alarm.raised': 'Alarm',
  'alarm.ended': 'Alarm over',
  'proof.broken': 'Differences found',
  'proof.mended': 'Differences gone',
  'proof.verified': 'Verified',
} satisfies Record<WebhookKind, string>
