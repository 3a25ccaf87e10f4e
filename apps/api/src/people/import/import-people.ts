import type { Imported, ImportLine, ReadImport } from '@tallyroom/contract/people/import'
import type { Viewer } from '../../access/viewer.ts'
import { announceChange } from '../../db/changes.ts'
import { constraintMessages } from '../../db/constraint-errors.ts'
import type { DbOrTx, Tx } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { conflict, invalid } from '../../errors.ts'
import { BadFileError } from '../../lib/files/read-zip.ts'
import type { Services } from '../../services.ts'
import type { NewPassword } from '../accounts/accounts.queries.ts'
import { makeUnknownPassword } from '../accounts/new-password.ts'
import { lookOf } from '../accounts/username-look.ts'
import { writeInvitations } from '../invitations/invitations.ts'
import { postMails } from '../mail/post-mail.ts'
import { findTaken } from './known-names.queries.ts'

export type ImportServices = Pick<Services, 'config' | 'db' | 'clock' | 'secret' | 'formerSecrets'>

/** A line with the form that it fills in, if it is new. */
export type JudgedLine<Made> = ImportLine & { form?: Made }

/** How a file of one kind of people is read, and how one of them is made. */
export type ImportKind<Made> = {
  /** Judges each line. @throws BadFileError */
  read: (
    db: DbOrTx,
    viewer: Viewer,
    bytes: Buffer,
  ) => Promise<Omit<ReadImport, 'refused' | 'lines'> & { lines: JudgedLine<Made>[] }>
  add: (
    tx: Tx,
    made: { form: Made; password: NewPassword; by: Viewer },
  ) => Promise<{ id: number; accountId: number }>
}

type Form = { username: string; invite?: 'mail' | 'link' | undefined }

/** Says what importing a file would do. Writes nothing. */
export async function checkPeople<Made extends Form>(
  { read }: ImportKind<Made>,
  { db }: Pick<Services, 'db'>,
  viewer: Viewer,
  file: string,
): Promise<ReadImport> {
  try {
    const { lines, ...how } = await read(db, viewer, Buffer.from(file, 'base64'))
    return { refused: null, ...how, lines: lines.map(({ form: _form, ...line }) => line) }
  } catch (error) {
    if (!(error instanceof BadFileError)) throw error
    return { refused: error.message, readAs: '', ignored: [], lines: [] }
  }
}

/**
 * Makes everybody in a file who is new, all or none, as the form for one of them does, without a password. Whoever has an address is mailed
 * an invitation.
 *
 * @throws VALIDATION_ERROR about `file` if it can't be read, or has nobody new; CONFLICT if somebody takes one of the names meanwhile.
 */
export async function importPeople<Made extends Form>(
  { read, add }: ImportKind<Made>,
  services: ImportServices,
  viewer: Viewer,
  file: string,
): Promise<Imported> {
  // One for all: nobody knows it, and no account opens with it.
  const password = await makeUnknownPassword()
  try {
    return await inTransaction(services.db, async (tx) => {
      const { lines } = await read(tx, viewer, Buffer.from(file, 'base64'))
      const made: { id: number; accountId: number; form: Made }[] = []
      for (const { form } of lines)
        if (form) made.push({ form, ...(await add(tx, { form, password, by: viewer })) })
      if (made.length === 0) throw invalid({ file: ['has nobody new'] })
      const mailed = made.filter(({ form }) => form.invite === 'mail')
      const { mails, giveUpAt } = await writeInvitations(tx, services, {
        accountIds: mailed.map(({ accountId }) => accountId),
        by: viewer,
      })
      // At the end, because others who announce the same wait for it.
      await announceChange(tx, 'destinations')
      await postMails(tx, services, mails, giveUpAt)
      const countOf = (fate: ImportLine['fate']) => lines.filter((one) => one.fate === fate).length
      return {
        ids: made.map(({ id }) => id),
        mailed: mailed.length,
        toHandOver: made
          .filter(({ form }) => form.invite !== 'mail')
          .map(({ id, form: { username } }) => ({ id, username })),
        existing: countOf('exists'),
        faulty: countOf('faulty'),
      }
    })
  } catch (error) {
    if (error instanceof BadFileError) throw invalid({ file: [`can’t be read: ${error.message}`] })
    if (constraintMessages(error))
      throw conflict(
        'Somebody has taken one of these names meanwhile. Nothing was imported: read the file again.',
      )
    throw error
  }
}

/** Judges the usernames of new lines, in their order: why a line can't have the one that it wants; undefined if it can. */
export async function judgeUsernames(
  db: DbOrTx,
  wanted: readonly string[],
): Promise<(username: string, line: number) => string | undefined> {
  const taken = await findTaken(db, {
    names: wanted,
    looks: wanted.map(lookOf),
  })
  const names = new Map<string, number | 'taken'>()
  const looks = new Map<string, number | 'taken'>()
  for (const name of taken.names) names.set(name.toLowerCase(), 'taken')
  for (const look of taken.looks) looks.set(look, 'taken')
  return (username, line) => {
    const [name, look] = [username.toLowerCase(), lookOf(username)]
    const [sameName, sameLook] = [names.get(name), looks.get(look)]
    if (sameName === 'taken') return 'username is already taken'
    if (sameName !== undefined) return `username is also on line ${sameName}`
    if (sameLook === 'taken') return 'username looks too similar to one that is taken'
    if (sameLook !== undefined) return `username looks too similar to that on line ${sameLook}`
    names.set(name, line)
    looks.set(look, line)
    return undefined
  }
}

/** A line that is not imported. */
export const leftOut = (
  told: Omit<ImportLine, 'fate' | 'why'>,
  fate: 'exists' | 'faulty',
  why: string,
) => ({ ...told, fate, why })
