import { statementFilesEndpoints } from '@tallyroom/contract/pay/statement-files'
import type { Statement } from '@tallyroom/contract/pay/statements'
import { type Brand, brandOf } from '@tallyroom/domain/brands/index'
import { downloadRoute, type Route } from '../../http/route.ts'
import { begun, Download } from '../../http/send-download.ts'
import type { Services } from '../../services.ts'
import { exportFile, fileNameOf } from '../../http/sheets/export-file.ts'
import { getStatement } from '../periods/statements.ts'
import { statementSheet } from './statement-sheet.ts'

/** A statement as a file, for everybody who may see it, with the lines that they may see. */
export const statementFilesRoutes = ({
  db,
  config: { brand },
}: Pick<Services, 'db' | 'config'>): Route[] => [
  downloadRoute(
    statementFilesEndpoints.exportStatement,
    async ({ viewer, params, body: { format } }) => {
      const statement = await getStatement(db, viewer, params.id)
      if (format === 'pdf') return pdfOf(statement, brandOf(brand))
      return exportFile(format, sheetOf(statement))
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

async function* sheetOf(statement: Statement) {
  yield statementSheet(statement)
}
