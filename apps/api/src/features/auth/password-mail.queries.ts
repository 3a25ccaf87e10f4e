import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** The account with this name, if this is its address (of an office: its manager's). Without regard to case. */
export const findAccountByMail = (db: Db, username: string, email: string) =>
  db
    .selectFrom('accounts as account')
    .leftJoin('offices as office', 'office.id', 'account.office_id')
    .select(['account.id', 'account.username'])
    .select((eb) => eb.fn.coalesce('account.email', 'office.man_email').$notNull().as('email'))
    .where(
      sql<boolean>`lower(account.username) in (lower(${username}), lower(${username.normalize('NFKC')}))`,
    )
    .where(sql`lower(coalesce(account.email, office.man_email))`, '=', sql`lower(${email})`)
    .executeTakeFirst()
