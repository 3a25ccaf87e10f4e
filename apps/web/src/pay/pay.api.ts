import type { InputOf } from '@tallyroom/contract/endpoint'
import {
  type StatementFormat,
  statementFilesEndpoints,
} from '@tallyroom/contract/pay/statement-files/statement-files'
import { balancesEndpoints } from '@tallyroom/contract/pay/balances/balances'
import { earnedEndpoints } from '@tallyroom/contract/pay/closing/earned'
import { payEndpoints } from '@tallyroom/contract/pay/closing/periods'
import { payProposalsEndpoints } from '@tallyroom/contract/pay/acts/proposals'
import { paySettingsEndpoints } from '@tallyroom/contract/pay/terms/settings'
import { profitEndpoints } from '@tallyroom/contract/pay/bookings/profit'
import { statementsEndpoints } from '@tallyroom/contract/pay/statements/statements'
import { statementLinesEndpoints } from '@tallyroom/contract/pay/bookings/statement-lines'
import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import { call } from '../lib/call.ts'
import { queryOf, formQueryOf } from '../lib/queries.ts'
import { saveAnswer, type SaveOptions } from '../lib/forms/save-answer.ts'

const own = { meta: { ownErrors: true } }

export const settingsQuery = formQueryOf(paySettingsEndpoints.paySettings, {})

/** What switching pay on with this first day leaves out. */
export const leftOutQuery = (firstDay: string) =>
  queryOf(paySettingsEndpoints.payLeftOut, { query: { firstDay } }, own)

export const periodsQuery = queryOf(payEndpoints.payPeriods, {}, own)

export const checksQuery = (name: string) =>
  queryOf(payEndpoints.payChecks, { params: { name } }, own)

export const previewQuery = (name: string) =>
  queryOf(payEndpoints.payPreview, { params: { name } }, own)

type PayeeKey = Pick<Payee, 'kind'> & { id: string }

export const previewOfQuery = (name: string, { kind, id }: PayeeKey) =>
  queryOf(payEndpoints.payPreviewOf, { params: { name, kind, id } }, own)

export const statementsQuery = (query: InputOf<typeof statementsEndpoints.statements>['query']) =>
  queryOf(statementsEndpoints.statements, { query }, { keepPrevious: true, ...own })

export const statementQuery = (id: string) =>
  queryOf(statementsEndpoints.statement, { params: { id } }, own)

export const statementLineQuery = (
  id: number,
  query: InputOf<typeof statementLinesEndpoints.statementLine>['query'],
) =>
  queryOf(
    statementLinesEndpoints.statementLine,
    { params: { id: String(id) }, query },
    { keepPrevious: true, ...own },
  )

export const estimateQuery = (name: string) =>
  queryOf(earnedEndpoints.estimate, { params: { name } }, own)

export const saveStatement = (id: number, format: StatementFormat, options?: SaveOptions) =>
  saveAnswer(
    statementFilesEndpoints.exportStatement,
    { params: { id: String(id) }, body: { format } },
    options,
  )

export const balancesQuery = queryOf(balancesEndpoints.balances, {}, own)

export const balanceQuery = (payee: PayeeKey) =>
  queryOf(balancesEndpoints.balance, { params: payee }, own)

/** What entering the adjustments of a file, in base64, would do. */
export const adjustmentFileQuery = (file: string) =>
  queryOf(balancesEndpoints.checkAdjustmentFile, { body: { file } }, own)

export const setMinimum = (
  params: PayeeKey,
  body: InputOf<typeof balancesEndpoints.setPayMinimum>['body'],
) => call(balancesEndpoints.setPayMinimum, { params, body })

export const waitingQuery = queryOf(payProposalsEndpoints.payProposals, {}, own)

/** Decisions on a page. */
export const DECIDED_PAGE_SIZE = 20

export const decidedQuery = (page: number) =>
  queryOf(
    payProposalsEndpoints.decidedPayProposals,
    { query: { page, pageSize: DECIDED_PAGE_SIZE } },
    { ...own, keepPrevious: true },
  )

export const profitQuery = (query: InputOf<typeof profitEndpoints.profit>['query']) =>
  queryOf(profitEndpoints.profit, { query }, own)
