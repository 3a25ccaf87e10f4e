import { type HoldAct, type HoldKind, takesBackSale } from '@tallyroom/domain/holds'

/** Why a postback is held: in a filter, and counted on Home. */
export const holdWords: Record<HoldKind, { label: string; one: string; many: string }> = {
  early: {
    label: 'Dated too early',
    one: 'postback dated too early',
    many: 'postbacks dated too early',
  },
  late: { label: 'Too long after the click', one: 'late sale', many: 'late sales' },
  'other-product': {
    label: 'Another product of an order',
    one: 'order with another product',
    many: 'orders with another product',
  },
  'other-order': {
    label: 'Another order without a number',
    one: 'order without a number of a click that has one',
    many: 'orders without a number of clicks that have one',
  },
  'other-click': {
    label: 'Order reported for two clicks',
    one: 'order reported for two clicks',
    many: 'orders reported for two clicks',
  },
  again: {
    label: 'Reported again after a reversal',
    one: 'reversed sale reported again',
    many: 'reversed sales reported again',
  },
  'reversed-again': {
    label: 'Reversed again',
    one: 'sale reversed again',
    many: 'sales reversed again',
  },
  'order-reversed': {
    label: 'Of an order that was taken back',
    one: 'report on an order that was taken back',
    many: 'reports on orders that were taken back',
  },
  rejected: {
    label: 'Of a rejected order',
    one: 'report on a rejected order',
    many: 'reports on rejected orders',
  },
  part: { label: 'Part of an order', one: 'partial refund', many: 'partial refunds' },
  amount: {
    label: 'How much goes back?',
    one: 'refund whose amount is unclear',
    many: 'refunds whose amounts are unclear',
  },
  'part-again': {
    label: 'The same part again',
    one: 'partial refund reported again',
    many: 'partial refunds reported again',
  },
  'which-sale': {
    label: 'Which sale?',
    one: 'reversal without its sale',
    many: 'reversals without their sales',
  },
  'takes-back': {
    label: 'Seems to take money back',
    one: 'report that seems to take money back',
    many: 'reports that seem to take money back',
  },
  'new-word': {
    label: 'A word that is new',
    one: 'report with a word that is new',
    many: 'reports with words that are new',
  },
  unmatched: {
    label: 'Without its click or sale',
    one: 'postback without its click or sale',
    many: 'postbacks without their click or sale',
  },
}

/** An act as a button, and what it does to one held postback. */
export const actWords: Record<HoldAct, { label: string; does: string }> = {
  record: { label: 'Record', does: 'It is recorded and counted.' },
  'count-again': { label: 'Count again', does: 'The reversed sale counts again.' },
  'another-product': {
    label: 'Count as another product',
    does: 'It counts as another product of the same order.',
  },
  'another-order': {
    label: 'Count as another order',
    does: 'It counts as another order of the same click, with the postback’s id as its number.',
  },
  'keep-first': {
    label: 'Keep the first',
    does: 'The order stays with the first click. This report is refused. No figure changes.',
  },
  'take-this': {
    label: 'Take this one',
    does: 'The order is of this click. What counts of it for another click is taken back, and this report is counted.',
  },
  'both-count': {
    label: 'Both are sales',
    does: 'This report is counted as a sale of its own. The first one stays.',
  },
  reverse: { label: 'Reverse this sale', does: 'The sale is taken back as a whole.' },
  'in-proportion': {
    label: 'Reverse a part',
    does: 'The refunded part of the sale’s amounts is taken back. The sale still counts.',
  },
  'was-retry': { label: 'Mark as retry', does: 'It repeats an earlier report. Nothing changes.' },
  mistake: {
    label: 'Mark as mistake',
    does: 'The merchant sent it by mistake. Nothing changes.',
  },
  refuse: { label: 'Refuse', does: 'This report is not counted. No figure changes.' },
  'word-takes-back': {
    label: 'It takes back',
    does: 'With this word, the merchant takes the order back: now and from now on.',
  },
  'word-nothing': {
    label: 'It means nothing',
    does: 'The word changes nothing. Reports are read as if it were not there: now and from now on.',
  },
  'word-ignored': {
    label: 'It does not count',
    does: 'A report with this word says nothing about a sale, and is ignored: now and from now on.',
  },
  'word-counts': {
    label: 'It counts',
    does: 'With this word, the merchant confirms the sale, as with status=approved: now and from now on.',
  },
}

/**
 * The hint of the field that finds the sale for an act; undefined for acts that need none. Only a postback of which it is
 * open which sale it reverses needs one.
 */
export function saleHint(act: HoldAct, kind: HoldKind | undefined): string | undefined {
  if (!takesBackSale(act)) return undefined
  return kind === 'which-sale'
    ? 'Enter its order number. The postback fits several sales, or none.'
    : 'Leave it empty for the sale that the postback names.'
}
