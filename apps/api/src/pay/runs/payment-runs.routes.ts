import { payFilesEndpoints } from '@tallyroom/contract/pay/files'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs'
import { downloadRoute, type Route, formRoute, route } from '../../http/route.ts'
import { approveRun } from './approve.ts'
import type { RunServices } from './change-run.ts'
import { cancelRun, prepareRun, removeLine, showCandidates } from './payment-runs.ts'
import { returnPayment } from './returns.ts'
import { enterResults, readResultFile } from './results.ts'
import { listRuns, presentRun } from './present-run.ts'
import { showFiles } from './review.ts'
import { takeFile } from './take-file.ts'
import {
  createTemplate,
  deleteTemplate,
  listTemplates,
  previewOf,
  updateTemplate,
} from './templates.ts'

const done = { ok: true } as const

export const paymentRunsRoutes = (services: RunServices): Route[] => [
  route(paymentRunsEndpoints.paymentRuns, () => listRuns(services)),

  route(paymentRunsEndpoints.paymentRunCandidates, ({ body }) => showCandidates(services, body)),

  route(paymentRunsEndpoints.preparePaymentRun, async ({ viewer, body }) => ({
    id: await prepareRun(services, viewer, body),
  })),

  route(paymentRunsEndpoints.paymentRun, ({ viewer, params: { id } }) =>
    presentRun(services, viewer, id),
  ),

  route(paymentRunsEndpoints.removePaymentRunLine, async ({ viewer, params: { id }, body }) => {
    await removeLine(services, viewer, id, body)
    return done
  }),

  route(paymentRunsEndpoints.reviewPaymentRun, ({ viewer, params: { id } }) =>
    showFiles(services, viewer, id),
  ),

  route(paymentRunsEndpoints.approvePaymentRun, ({ viewer, params: { id }, body }) =>
    approveRun(services, viewer, id, body),
  ),

  route(paymentRunsEndpoints.cancelPaymentRun, async ({ viewer, params: { id }, body }) => {
    await cancelRun(services, viewer, id, body)
    return done
  }),

  downloadRoute(paymentRunsEndpoints.takePaymentFile, ({ viewer, params: { id }, body }) =>
    takeFile(services, viewer, id, body),
  ),

  route(paymentResultsEndpoints.enterPaymentResults, ({ viewer, params: { id }, body }) =>
    enterResults(services, viewer, id, body),
  ),

  route(paymentResultsEndpoints.returnPayment, ({ viewer, params: { id }, body }) =>
    returnPayment(services, viewer, id, body),
  ),

  route(paymentResultsEndpoints.readResultFile, ({ viewer, params: { id }, body }) =>
    readResultFile(services, viewer, id, body),
  ),

  route(payFilesEndpoints.payFileTemplates, () => listTemplates(services.db)),

  formRoute(payFilesEndpoints.createPayFileTemplate, async ({ viewer, body }) => ({
    id: await createTemplate(services, viewer, body),
  })),

  formRoute(payFilesEndpoints.updatePayFileTemplate, async ({ viewer, params: { id }, body }) => {
    await updateTemplate(services, viewer, id, body)
    return done
  }),

  route(payFilesEndpoints.deletePayFileTemplate, async ({ viewer, params: { id } }) => {
    await deleteTemplate(services, viewer, id)
    return done
  }),

  route(payFilesEndpoints.previewPayFile, ({ body }) => previewOf(services, body.layout)),
]
