import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The text of the emails sent to an address, oldest first. */
export async function mailsTo(address: string): Promise<string[]> {
  const folder = join(process.env['E2E_DATA_DIR'] ?? '', 'outbox')
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
  const mails = await Promise.all(
    names.toSorted().map((name) => readFile(join(folder, name), 'utf8')),
  )
  return mails.filter((mail) => mail.includes(`To: ${address}`)).map(decoded)
}

/** Decodes quoted-printable text. */
const decoded = (mail: string) => mail.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
