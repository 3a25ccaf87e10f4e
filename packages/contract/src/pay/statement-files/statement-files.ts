import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { exportFormats } from '../../export-formats.ts'
import { idTextSchema } from '../../list.ts'
import { statementsEndpoints } from '../statements/statements.ts'

/** A statement is also a document. */
const statementFormats = [...exportFormats, 'pdf'] as const
export type StatementFormat = (typeof statementFormats)[number]

export const statementFilesEndpoints = {
  exportStatement: endpoint({
    method: 'POST',
    path: '/api/pay/statements/:id/export',
    summary: 'Export a statement as a document (PDF) or to a spreadsheet file',
    ability: statementsEndpoints.statement.ability,
    byToken: 'statements',
    action: 'EXPORT',
    params: z.object({ id: idTextSchema }),
    body: z.strictObject({ format: z.enum(statementFormats) }),
    /** The file. */
    response: z.string(),
  }),
}
