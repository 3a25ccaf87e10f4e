import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { mailAddress, selectAddresses } from '../accounts/index.ts'

/** The account with this username and address, case-insensitively. */
export const findAccountByMail = (db: Db, username: string, email: string) =>
  selectAddresses(db)
    .$narrowType<{ email: string }>()
    .where(
      sql<boolean>`lower(account.username) in (lower(${username}), lower(${username.normalize('NFKC')}))`,
    )
    .where(sql`lower(${mailAddress})`, '=', sql`lower(${email})`)
    .executeTakeFirst()
