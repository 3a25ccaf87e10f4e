import type { RunLine } from '@tallyroom/contract/pay/runs/runs'
import { expect, test } from 'vitest'
import { csvColumnsOf } from '../../ui/list/columns.ts'
import { runLineColumns } from './run-line-columns.tsx'

const line = (own: Partial<RunLine>): RunLine => ({
  id: 1,
  payee: { kind: 'office', id: 2, name: 'Cebu' },
  amount: 51_685_00,
  part: null,
  partOf: null,
  reference: 'P1R2N2',
  file: 'R-1_1-Pesos.csv',
  institutionName: 'BDO Unibank',
  lastCharacters: '8871',
  state: 'paid',
  by: 'ann',
  reason: null,
  bankReference: 'IPN-77',
  paidOn: '2026-11-25',
  failedOn: null,
  failureWaits: null,
  returned: null,
  refused: null,
  returnWaits: null,
  ...own,
})

const paid = {
  Payee: 'Cebu',
  Currency: 'PHP',
  Institution: 'BDO Unibank',
  'Account ends with': '8871',
  Reference: 'P1R2N2',
  State: 'Paid',
  'Bank’s reference': 'IPN-77',
  'Paid on': '2026-11-25',
  'Failed on': null,
  'Refused on': undefined,
  'Paid after all, entered on': undefined,
  'Paid after all, entered by': undefined,
  'Note: what the bank said': undefined,
  'Came back on': undefined,
  Reason: null,
  Amount: { number: '51685.00' },
}

test.each<[Partial<RunLine>, object]>([
  [{}, paid],
  [
    {
      state: 'failed',
      bankReference: null,
      paidOn: null,
      failedOn: '2026-11-26',
      reason: 'Account closed',
    },
    {
      ...paid,
      State: 'Failed',
      'Paid on': null,
      'Failed on': '2026-11-26',
      'Bank’s reference': null,
      Reason: 'Account closed',
    },
  ],
  [
    {
      refused: {
        on: '2026-11-27',
        reason: 'DU01',
        by: 'bob',
        at: '2026-11-27T09:00:00.000Z',
        message: { name: 'pain.002.001.10', id: 'B1', sha256: '00' },
        paidOn: '2026-11-25',
        isOpen: false,
        settled: { at: '2026-11-30T15:00:00.000Z', by: 'bob', note: 'Mail of 30 November' },
      },
    },
    {
      ...paid,
      'Refused on': '2026-11-27',
      'Paid after all, entered on': '2026-11-30',
      'Paid after all, entered by': 'bob',
      'Note: what the bank said': 'Mail of 30 November',
    },
  ],
  [
    { state: 'returned', returned: { on: '2026-12-02', by: 'bob', reason: 'R03' } },
    { ...paid, State: 'Came back', 'Came back on': '2026-12-02', Reason: 'R03' },
  ],
])(
  'the export of a run’s lines says who was paid what, where, by which reference: %j',
  (own, row) => {
    const lines = [line(own)]
    const columns = csvColumnsOf(
      runLineColumns({ currency: 'PHP', state: 'finished', lines }, () => []),
    )
    expect(
      Object.fromEntries(columns.map(({ header, value }) => [header, value(lines[0]!)])),
    ).toEqual(row)
  },
)
