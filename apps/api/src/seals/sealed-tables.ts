import type { DB } from '../db/types.ts'

/** What of a table is sealed. */
export type Sealed<Column extends string = string> = {
  /** What a row is called in findings. */
  says: string
  /** The primary key. */
  key: readonly Column[]
  /** Columns that keep the value they were inserted with, besides the key. */
  fixed: readonly Column[]
  /** Columns that the app changes. Whoever changes them uses `changeSealed`. */
  changing?: readonly Column[]
  /** Whether the app deletes rows. */
  deletes?: boolean
}

type SealedTables = { [Table in keyof DB]?: Sealed<keyof DB[Table] & string> }

const payee = ['payee_kind', 'payee_id'] as const
const made = ['made_at', 'made_by', 'made_by_name'] as const

/**
 * The tables whose rows carry seals: what people decided about pay, and what of sites and link types decides it. Figures
 * computed from events (bookings, tier payments, balance entries) are not here, because `verifyPay` computes them again.
 * Statements are both: computing all of them takes too long for a payment, which rests on some.
 *
 * Every column of every table of pay is either here, recomputed, or excused by name in `every-column.test.ts`.
 */
export const sealedTables = {
  pay_state: {
    says: 'The state of pay',
    key: ['only_row'],
    fixed: ['started_at', 'first_day'],
    changing: ['epoch'],
  },
  pay_settings: {
    says: 'Pay setting',
    key: ['id'],
    fixed: [
      'from_day',
      'first_day',
      'payees',
      'period_length',
      'avp',
      'minimum_centavos',
      'minimum_cents',
      'holding_days',
      'waiting_days',
      'bank_time_zone',
      'set_at',
      'set_by',
    ],
  },
  pay_exchange_rates: {
    says: 'Exchange rate',
    key: ['id'],
    fixed: ['period', 'pesos_e4', 'source', 'set_at', 'set_by'],
  },
  pay_periods: {
    says: 'Closed period',
    key: ['id'],
    fixed: [
      'name',
      'start_day',
      'end_day',
      'payees',
      'period_length',
      'avp',
      'pesos_e4',
      'pesos_source',
      'pesos_set_by',
      'closed_at',
      'closed_by',
      'closed_by_name',
    ],
  },
  statements: {
    says: 'Statement',
    key: ['id'],
    // Its content is computed again, and has the hash that is sealed.
    fixed: [
      'number',
      'period_id',
      ...payee,
      'payee_name',
      'currency',
      'amount',
      'carried',
      'minimum',
      'content_hash',
      'document_serial',
      'paid_from',
      'not_income',
    ],
  },
  adjustments: {
    says: 'Adjustment',
    key: ['id'],
    fixed: [
      ...payee,
      'currency',
      'amount',
      'counts_as',
      'reason',
      'opposite_of',
      'held_back_for',
      ...made,
    ],
  },
  pay_proposals: {
    says: 'Proposal',
    key: ['id'],
    fixed: [
      'kind',
      ...payee,
      'currency',
      'amount',
      'counts_as',
      'opposite_of',
      'held_back_for',
      'period',
      'pesos_e4',
      'run_line_id',
      'bank_reference',
      'returned_on',
      'way',
      'paid_on',
      'voucher',
      'advanced',
      'instalments',
      'from_day',
      'tax_bp',
      'tax_code',
      'run_id',
      'file_name',
      'refused_on',
      'limit_centavos',
      'limit_cents',
      'replaces',
      'reason',
      'why',
      ...made,
    ],
  },
  pay_proposal_decisions: {
    says: 'Decision about proposal',
    key: ['proposal_id'],
    fixed: ['decision', 'reason', 'made_id', ...made],
  },
  pay_holds: {
    says: 'Hold',
    key: ['id'],
    fixed: [...payee, 'held', 'reason', 'told', 'account_id', 'set_at', 'set_by', 'set_by_name'],
  },
  pay_minimums: {
    says: 'Minimum',
    key: ['id'],
    fixed: [...payee, 'currency', 'amount', 'set_at', 'set_by'],
  },
  payee_tax_details: {
    says: 'Tax details',
    key: ['id'],
    fixed: [
      ...payee,
      'from_day',
      'registered_name',
      'country',
      'tax_number',
      'address',
      'set_at',
      'set_by',
      'set_by_name',
    ],
  },
  payee_accounts: {
    says: 'Payee account',
    key: ['id'],
    fixed: [
      ...payee,
      'channel',
      'institution',
      'last_characters',
      'currency',
      'entered_at',
      'entered_by',
      'entered_by_name',
      'confirmations',
      'doubts',
      'doubt_details',
      'paid_from',
    ],
    changing: ['sealed', 'number_digest'],
  },
  payee_account_decisions: {
    says: 'Decision about payee account',
    key: ['account_id', 'decided_by'],
    fixed: ['decided_by_name', 'confirmed', 'reason', 'decided_at'],
  },
  act_factors: {
    says: 'Second factor of an approval',
    key: ['kind', 'thing_id', 'made_by'],
    fixed: [
      'made_by_name',
      'made_at',
      'content',
      'rp_id',
      'credential_id',
      'public_key',
      'authenticator_data',
      'client_data',
      'signature',
    ],
  },
  passkey_changes: {
    says: 'Change of a passkey',
    key: ['id'],
    fixed: ['account_id', 'credential_id', 'public_key', 'kind', 'made_at'],
  },
  payee_account_shares: {
    says: 'Other payee of an account',
    key: ['account_id', ...payee],
    fixed: ['noted_at'],
  },
  payment_runs: {
    says: 'Payment run',
    key: ['id'],
    fixed: [
      'number',
      'currency',
      'period_id',
      'template_id',
      'layout',
      'left_out',
      'execution_day',
      'prepared_at',
      'prepared_by',
      'prepared_by_name',
    ],
  },
  payment_run_steps: {
    says: 'Step of payment run',
    key: ['run_id', 'step'],
    fixed: ['reason', ...made],
  },
  payment_run_lines: {
    says: 'Payment run line',
    key: ['id'],
    fixed: [
      'run_id',
      ...payee,
      'payee_name',
      'currency',
      'amount',
      'account_id',
      'reference',
      'part',
      'of_balance',
      'part_reason',
    ],
    changing: ['open', 'removed_by', 'removed_because'],
  },
  settlements: {
    says: 'Settlement',
    key: ['id'],
    fixed: [
      ...payee,
      'currency',
      'statement_id',
      'entry_id',
      'kind',
      'run_line_id',
      'by_entry_id',
      'into_statement_id',
      'amount',
      'closes',
      'made_at',
    ],
  },
  given_up: {
    says: 'What was given up of a payee',
    key: ['id'],
    fixed: [...payee, 'currency', 'balance', 'advances', ...made],
  },
  payment_results: {
    says: 'Result of payment run line',
    key: ['run_line_id'],
    fixed: [
      'paid',
      'reason',
      'bank_reference',
      'refused_on',
      'failed_on',
      'paid_on',
      'by_hand',
      ...made,
    ],
  },
  payment_returns: {
    says: 'Return of payment run line',
    key: ['run_line_id'],
    fixed: ['returned_on', 'reason', 'by_hand', ...made],
  },
  payment_refusals: {
    says: 'Refusal beside the payment of payment run line',
    key: ['run_line_id'],
    fixed: ['refused_on', 'reason', 'message', 'message_id', 'sha256', ...made],
  },
  settled_refusals: {
    says: 'What settles the refusal of payment run line',
    key: ['run_line_id'],
    fixed: ['note', ...made],
  },
  payment_run_files: {
    says: 'File of payment run',
    key: ['run_id', 'place'],
    fixed: [
      'name',
      'channel',
      'lines',
      'amount',
      'sha256',
      'undated_sha256',
      'redates',
      'execution_day',
      ...made,
    ],
    changing: ['sealed'],
  },
  payment_file_lines: {
    says: 'File of a transfer',
    key: ['run_line_id'],
    fixed: ['run_id', 'name'],
  },
  payment_file_downloads: {
    says: 'Download of a payment file',
    key: ['id'],
    fixed: ['run_id', 'name', 'sha256', 'bank_day', ...made],
  },
  pay_file_template_changes: {
    says: 'Change of a bank template',
    key: ['id'],
    fixed: ['template_id', 'made_by', 'made_at'],
  },
  pay_file_templates: {
    says: 'Bank template',
    key: ['id'],
    fixed: [],
    changing: ['name', 'version', 'layout'],
    deletes: true,
  },
  avp_tiers: {
    says: 'AVP tier',
    key: ['valid_from', 'index'],
    fixed: ['from_sales', 'to_sales', 'payout_centavos', 'payout_cents', 'version'],
    deletes: true,
  },
  sites: {
    says: 'What decides pay at site',
    key: ['id'],
    fixed: [],
    changing: [
      'use_approve_sale',
      'avp',
      'click_param',
      'transaction_id_is_click',
      'always_ok_text',
      'event_words',
      'status_words',
      'word_readings',
      'tracker',
      'several_products',
      'counts_for_days',
      'part_rule',
    ],
  },
  former_site_flags: {
    says: 'What decided pay at a site before a change, row',
    key: ['id'],
    fixed: [
      'site_id',
      'until',
      'use_approve_sale',
      'avp',
      'click_param',
      'transaction_id_is_click',
      'always_ok_text',
      'event_words',
      'status_words',
      'word_readings',
      'tracker',
      'several_products',
      'counts_for_days',
      'part_rule',
      'changed_by',
      'changed_by_name',
    ],
  },
  link_types: {
    says: 'Bonus of link type',
    key: ['id'],
    fixed: [],
    changing: ['bonus'],
  },
  former_link_type_flags: {
    says: 'Bonus of a link type before a change, row',
    key: ['id'],
    fixed: ['type_id', 'until', 'bonus', 'changed_by', 'changed_by_name'],
  },
  rates: {
    says: 'Rate',
    key: ['id'],
    fixed: [
      'type_id',
      'office_id',
      'valid_from',
      'enabled',
      'payout_centavos',
      'earning_cents',
      'lpp',
      'bonus_payout_centavos',
      'bonus_earning_cents',
      'bonus_lpp',
      'note',
      'added_at',
      'added_by',
      'added_by_name',
      'backdating_id',
    ],
  },
  rate_withdrawals: {
    says: 'Withdrawal of rate',
    key: ['rate_id'],
    fixed: ['withdrawn_at', 'withdrawn_by', 'withdrawn_by_name'],
  },
  rate_backdatings: {
    says: 'Backdating',
    key: ['id'],
    fixed: [
      'type_id',
      'office_id',
      'valid_from',
      'reason',
      'payees_read',
      'undoes',
      'request_id',
      'sales',
      'payout_centavos',
      'earning_cents',
      ...made,
    ],
  },
  agent_moves: {
    says: 'Move of an agent',
    key: ['id'],
    fixed: [
      'agent_id',
      'agent_name',
      'from_office_id',
      'from_office_name',
      'to_office_id',
      'to_office_name',
      'moved_at',
      'moved_by',
      'moved_by_name',
    ],
  },
  pay_grants: {
    says: 'Grant of the right to pay',
    key: ['id'],
    fixed: ['account_id', 'granted', 'made_by', 'made_at'],
  },
  account_hands: {
    says: 'Hand in an account',
    key: ['id'],
    fixed: ['account_id', 'kind', 'made_by', 'made_at'],
  },
} as const satisfies SealedTables

export type SealedTable = keyof typeof sealedTables

/** The tables' names, in the order in which findings are listed. */
// The keys of a constant object are those of its type.
export const sealedTableNames = Object.keys(sealedTables) as SealedTable[]

export const sealedColumnsOf = (table: SealedTable): string[] => {
  const { key, fixed, changing = [] }: Sealed = sealedTables[table]
  return [...key, ...fixed, ...changing].toSorted()
}
