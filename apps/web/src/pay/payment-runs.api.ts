import type { InputOf } from '@tallyroom/contract/endpoint'
import { type PayFileLayout, payFilesEndpoints } from '@tallyroom/contract/pay/files/files'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import { call } from '../lib/call.ts'
import { queryOf } from '../lib/queries.ts'
import { saveAnswer } from '../lib/forms/save-answer.ts'

const own = { meta: { ownErrors: true } }
const runs = paymentRunsEndpoints
const results = paymentResultsEndpoints
const files = payFilesEndpoints

export const runsQuery = queryOf(runs.paymentRuns, {}, own)

export const runQuery = (id: string) => queryOf(runs.paymentRun, { params: { id } }, own)

export type Asked = InputOf<typeof runs.paymentRunCandidates>['body']

export const candidatesQuery = (body: Asked) =>
  queryOf(runs.paymentRunCandidates, { body }, { ...own, keepPrevious: true })

export const prepareRun = (body: InputOf<typeof runs.preparePaymentRun>['body']) =>
  call(runs.preparePaymentRun, { body })

const paramsOf = (id: number) => ({ params: { id: String(id) } })

export const removeLine = (id: number, body: { lineId: number; reason: string }) =>
  call(runs.removePaymentRunLine, { ...paramsOf(id), body })

export const reviewRun = (id: number) => call(runs.reviewPaymentRun, paramsOf(id))

export const approveRun = (id: number, body: InputOf<typeof runs.approvePaymentRun>['body']) =>
  call(runs.approvePaymentRun, { ...paramsOf(id), body })

export const cancelRun = (id: number, reason: string) =>
  call(runs.cancelPaymentRun, { ...paramsOf(id), body: { reason } })

export const takeFile = (id: number, body: InputOf<typeof runs.takePaymentFile>['body']) =>
  saveAnswer(runs.takePaymentFile, { ...paramsOf(id), body })

export const enterResults = (
  id: number,
  body: InputOf<typeof results.enterPaymentResults>['body'],
) => call(results.enterPaymentResults, { ...paramsOf(id), body })

export const returnPayment = (id: number, body: InputOf<typeof results.returnPayment>['body']) =>
  call(results.returnPayment, { ...paramsOf(id), body })

export const enterRefusedFile = (
  id: number,
  body: InputOf<typeof results.enterRefusedFile>['body'],
) => call(results.enterRefusedFile, { ...paramsOf(id), body })

export const settleRefusals = (id: number, body: InputOf<typeof results.settleRefusals>['body']) =>
  call(results.settleRefusals, { ...paramsOf(id), body })

export const readResultFile = (id: number, body: InputOf<typeof results.readResultFile>['body']) =>
  call(results.readResultFile, { ...paramsOf(id), body })

export const templatesQuery = queryOf(files.payFileTemplates, {}, own)

export const createTemplate = (body: { name: string; layout: PayFileLayout }) =>
  call(files.createPayFileTemplate, { body })

export const updateTemplate = (
  id: number,
  body: { name: string; layout: PayFileLayout; version: number },
) => call(files.updatePayFileTemplate, { ...paramsOf(id), body })

export const deleteTemplate = (id: number) => call(files.deletePayFileTemplate, paramsOf(id))

export const previewQuery = (layout: PayFileLayout) =>
  queryOf(files.previewPayFile, { body: { layout } }, { ...own, keepPrevious: true })
