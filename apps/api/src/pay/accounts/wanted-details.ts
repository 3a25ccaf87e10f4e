import { payFileLayoutSchema } from '@tallyroom/contract/pay/files/files'
import { type EnteredDetail, wantedIn } from '@tallyroom/contract/pay/accounts/payee-details'
import type { DbOrTx } from '../../db/database.ts'
import { columnsOf } from '../files/file-values.ts'

/** What payees have to enter with an account because a template of bank files has it. */
export async function findWantedDetails(db: DbOrTx): Promise<EnteredDetail[]> {
  const templates = await db.selectFrom('pay_file_templates').select('layout').execute()
  return wantedIn(templates.flatMap(({ layout }) => columnsOf(payFileLayoutSchema.parse(layout))))
}
