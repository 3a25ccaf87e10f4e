import { payFilesEndpoints } from '@tallyroom/contract/pay/files/files'
import { paymentResultsEndpoints } from '@tallyroom/contract/pay/paying/results'
import { paymentRunsEndpoints } from '@tallyroom/contract/pay/runs/runs'
import type { FactorServices } from '../../people/index.ts'
import { downloadRoute, type Route, formRoute, route } from '../../http/route.ts'
import { approveRun } from './approve.ts'
import type { RunServices } from './change-run.ts'
import { cancelRun, prepareRun, removeLine, showCandidates } from './payment-runs.ts'
import { enterRefusedFile } from './refused-files.ts'
import { settleRefusals } from './refusals.ts'
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
} from '../runs/templates.ts'

export const paymentRunsRoutes = (services: RunServices & FactorServices): Route[] => [
  route(paymentRunsEndpoints.paymentRuns, () => listRuns(services)),

  route(paymentRunsEndpoints.paymentRunCandidates, ({ body }) => showCandidates(services, body)),

  route(paymentRunsEndpoints.preparePaymentRun, async ({ viewer, body }) => ({
    id: await prepareRun(services, viewer, body),
  })),

  route(paymentRunsEndpoints.paymentRun, ({ viewer, params: { id } }) =>
    presentRun(services, viewer, id),
  ),

  route(paymentRunsEndpoints.removePaymentRunLine, ({ viewer, params: { id }, body }) =>
    removeLine(services, viewer, id, body),
  ),

  route(paymentRunsEndpoints.reviewPaymentRun, ({ viewer, params: { id } }) =>
    showFiles(services, viewer, id),
  ),

  route(paymentRunsEndpoints.approvePaymentRun, ({ viewer, params: { id }, body }) =>
    approveRun(services, viewer, id, body),
  ),

  route(paymentRunsEndpoints.cancelPaymentRun, ({ viewer, params: { id }, body }) =>
    cancelRun(services, viewer, id, body),
  ),

  downloadRoute(paymentRunsEndpoints.takePaymentFile, ({ viewer, params: { id }, body }) =>
    takeFile(services, viewer, id, body),
  ),

  route(paymentResultsEndpoints.enterPaymentResults, ({ viewer, params: { id }, body }) =>
    enterResults(services, viewer, id, body),
  ),

  route(paymentResultsEndpoints.returnPayment, ({ viewer, params: { id }, body }) =>
    returnPayment(services, viewer, id, body),
  ),

  route(paymentResultsEndpoints.enterRefusedFile, ({ viewer, params: { id }, body }) =>
    enterRefusedFile(services, viewer, id, body),
  ),

  route(paymentResultsEndpoints.settleRefusals, ({ viewer, params: { id }, body }) =>
    settleRefusals(services, viewer, id, body),
  ),

  route(paymentResultsEndpoints.readResultFile, ({ viewer, params: { id }, body }) =>
    readResultFile(services, viewer, id, body),
  ),

  route(payFilesEndpoints.payFileTemplates, () => listTemplates(services.db)),

  formRoute(payFilesEndpoints.createPayFileTemplate, async ({ viewer, body }) => ({
    id: await createTemplate(services, viewer, body),
  })),

  formRoute(payFilesEndpoints.updatePayFileTemplate, ({ viewer, params: { id }, body }) =>
    updateTemplate(services, viewer, id, body),
  ),

  route(payFilesEndpoints.deletePayFileTemplate, ({ viewer, params: { id } }) =>
    deleteTemplate(services, viewer, id),
  ),

  route(payFilesEndpoints.previewPayFile, ({ body }) => previewOf(services, body.layout)),
]
