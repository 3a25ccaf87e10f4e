import { statementFilesEndpoints } from '@tallyroom/contract/pay/statement-files/statement-files'
import { withholdingEndpoints } from '@tallyroom/contract/pay/books/withholding'
import type { Statement } from '@tallyroom/contract/pay/statements/statements'
import { type Brand, brandOf } from '@tallyroom/domain/brands/index'
import { downloadRoute, type Route } from '../../http/route.ts'
import { begun, Download } from '../../http/send-download.ts'
import type { Services } from '../../services.ts'
import { exportFile, fileNameOf } from '../../http/sheets/export-file.ts'
import type { Sheet } from '../../http/sheets/sheet.ts'
import { alphalistFile } from '../books/alphalist.ts'
import { getTaxCertificate, type TaxCertificate, taxQuarterSheet } from '../books/withholding.ts'
import { getStatement } from '../statements/statements.ts'
import { statementSheet } from './statement-sheet.ts'

/**
 * A statement as a file, for everybody who may see it, with the lines that they may see; the tax withheld in a quarter, and
 * a payee's certificate of it.
 */
export const statementFilesRoutes = (
  services: Pick<Services, 'db' | 'clock' | 'config'>,
): Route[] => [
  downloadRoute(
    statementFilesEndpoints.exportStatement,
    async ({ viewer, params, body: { format } }) => {
      const statement = await getStatement(services, viewer, params.id)
      if (format === 'pdf') return pdfOf(statement, brandOf(services.config.brand))
      return exportFile(format, one(statementSheet(statement)))
    },
  ),
  downloadRoute(withholdingEndpoints.exportTaxQuarter, async ({ viewer, body }) => {
    const sheet = await taxQuarterSheet(services, viewer, body.quarter)
    return exportFile(body.format, one(sheet))
  }),
  downloadRoute(withholdingEndpoints.exportAlphalist, async ({ body: { quarter, district } }) => {
    const { name, text } = await alphalistFile(services, quarter, district)
    return new Download({ name, mediaType: 'text/plain; charset=us-ascii', content: whole(text) })
  }),
  downloadRoute(
    withholdingEndpoints.taxCertificate,
    async ({ viewer, params: { quarter, ...payee } }) => {
      const certificate = await getTaxCertificate(services, viewer, payee, quarter)
      return certificateOf(certificate, brandOf(services.config.brand), services.clock.now())
    },
  ),
]

async function pdfOf(statement: Statement, brand: Brand): Promise<Download> {
  // Loaded with the first document, because the library is slow to load and most processes never
  // need it.
  const { statementPdf } = await import('./statement-pdf.ts')
  return new Download({
    mediaType: 'application/pdf',
    name: `${fileNameOf(statementSheet(statement))}.pdf`,
    content: await begun(statementPdf(statement, brand)),
  })
}

async function certificateOf(
  certificate: TaxCertificate,
  brand: Brand,
  madeAt: Date,
): Promise<Download> {
  const { certificatePdf } = await import('./certificate-pdf.ts')
  const { quarter, payee } = certificate
  const about = { title: 'Tax withheld', about: [quarter, payee.registeredName] }
  return new Download({
    mediaType: 'application/pdf',
    name: `${fileNameOf(about)}.pdf`,
    content: await begun(certificatePdf(certificate, brand, madeAt)),
  })
}

async function* one(sheet: Sheet) {
  yield sheet
}

async function* whole(text: string) {
  yield text
}
