import type { ExportFormat } from '@tallyroom/contract/export-formats'
import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import { withholdingEndpoints } from '@tallyroom/contract/pay/books/withholding'
import { queryOf } from '../../lib/queries.ts'
import { saveAnswer, type SaveOptions } from '../../lib/forms/save-answer.ts'
import { payeeParams } from '../pay-words.ts'

export const taxQuarterQuery = (quarter: string) =>
  queryOf(
    withholdingEndpoints.taxQuarter,
    { query: { quarter } },
    { meta: { ownErrors: true }, keepPrevious: true },
  )

export const saveTaxQuarter = (quarter: string, format: ExportFormat, options: SaveOptions) =>
  saveAnswer(withholdingEndpoints.exportTaxQuarter, { body: { quarter, format } }, options)

export const alphalistQuery = (quarter: string) =>
  queryOf(withholdingEndpoints.alphalist, { query: { quarter } }, { meta: { ownErrors: true } })

export const saveAlphalist = (quarter: string, district: string) =>
  saveAnswer(withholdingEndpoints.exportAlphalist, { body: { quarter, district } })

export const taxCertificatesQuery = (payee: Payee) =>
  queryOf(withholdingEndpoints.taxCertificates, { params: payeeParams(payee) })

export const saveTaxCertificate = (payee: Payee, quarter: string) =>
  saveAnswer(withholdingEndpoints.taxCertificate, { params: { ...payeeParams(payee), quarter } })
