// What the embedded PostgreSQL is made of, read from its files: the package says nothing of the libraries that it carries.

import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Library
 * @property {string} name
 * @property {RegExp} files names of its files
 * @property {RegExp} [version] where these say it: in their text, or else in their name
 * @property {(text: string) => string} [spell] how it is written
 * @property {string | ((version: string) => string)} licence SPDX
 * @property {string} [notice] a file of `notices`
 * @property {string} [cpe] vendor and product, by which vulnerabilities are looked up
 */

/** `20904`, as libxml2 and libxslt write 2.9.4. */
const fromDigits = (digits) =>
  `${Number(digits.slice(0, -4))}.${Number(digits.slice(-4, -2))}.${Number(digits.slice(-2))}`

/** On Linux, macOS and Windows. @type {Library[]} */
const libraries = [
  {
    name: 'PostgreSQL',
    files: /^(postgres|initdb|pg_ctl)(\.exe)?$|^lib(pq|ecpg|ecpg_compat|pgtypes|pq-oauth)\b/,
    version: /PostgreSQL (\d+\.\d+) on /,
    licence: 'PostgreSQL',
    notice: 'postgresql',
    cpe: 'postgresql:postgresql',
  },
  {
    name: 'OpenSSL',
    files: /^lib(crypto|ssl)\b/,
    version: /OpenSSL (\d+\.\d+\.\d+[a-z]?) /,
    // Version 3 has another licence. Its text is in Node's, which carries it as well.
    licence: (version) => (version.startsWith('1.') ? 'OpenSSL' : 'Apache-2.0'),
    notice: 'openssl',
    cpe: 'openssl:openssl',
  },
  {
    name: 'zlib',
    files: /^(libz|zlib1)\b/,
    version: / deflate (\d+(\.\d+)+) Copyright/,
    licence: 'Zlib',
    notice: 'zlib',
    cpe: 'zlib:zlib',
  },
  {
    name: 'ICU',
    files: /^libicu(uc|i18n|data)\b|^icu(uc|in|dt|io|tu)\d+\.dll$/,
    version: /\0(\d\d\.\d)\0/,
    licence: 'Unicode-DFS-2016',
    notice: 'icu',
    cpe: 'icu-project:international_components_for_unicode',
  },
  {
    name: 'XZ Utils (liblzma)',
    files: /^liblzma\b/,
    version: /\0(\d+\.\d+\.\d+)\0/,
    licence: 'LicenseRef-public-domain',
    notice: 'xz',
    cpe: 'tukaani:xz',
  },
  {
    name: 'libxml2',
    files: /^libxml2\b/,
    version: /(?<!\d)(2[01]\d{3})\0/,
    spell: fromDigits,
    licence: 'MIT',
    notice: 'libxml2',
    cpe: 'xmlsoft:libxml2',
  },
  {
    name: 'libxslt',
    files: /^libxslt\b/,
    version: /(?<!\d)(10\d{3})\0/,
    spell: fromDigits,
    licence: 'MIT',
    notice: 'libxslt',
    cpe: 'xmlsoft:libxslt',
  },
  {
    name: 'OSSP uuid',
    files: /^libossp-uuid\b/,
    version: /OSSP uuid (\d+\.\d+\.\d+) /,
    licence: 'ISC',
    notice: 'ossp-uuid',
  },
  {
    name: 'MIT Kerberos',
    files: /^lib(krb5|k5crypto|krb5support|gssapi_krb5|com_err)\b/,
    version: /KRB5_BRAND: krb5-([\d.]+)-final/,
    licence: 'MIT',
    cpe: 'mit:kerberos_5',
  },
  {
    name: 'Zstandard',
    files: /^libzstd\b/,
    version: /\0(1\.\d+\.\d+)\0/,
    licence: 'BSD-3-Clause',
    cpe: 'facebook:zstandard',
  },
  {
    name: 'LZ4',
    files: /^liblz4\b/,
    version: /\0(1\.\d+\.\d+)\0/,
    licence: 'BSD-2-Clause',
    cpe: 'lz4_project:lz4',
  },
  { name: 'libedit', files: /^libedit\b/, licence: 'BSD-3-Clause' },
  { name: 'GNU libiconv', files: /^libiconv\b/, licence: 'LGPL-2.1-or-later' },
  { name: 'GNU gettext (libintl)', files: /^libintl\b/, licence: 'LGPL-2.1-or-later' },
  { name: 'libuuid', files: /^libuuid\b/, licence: 'BSD-3-Clause' },
  {
    name: 'curl',
    files: /^libcurl\b/,
    version: /libcurl\/(\d+\.\d+\.\d+)/,
    licence: 'curl',
    cpe: 'haxx:libcurl',
  },
  { name: 'MinGW-w64 winpthreads', files: /^libwinpthread\b/, licence: 'MIT' },
  { name: 'wxWidgets', files: /^wx(base|msw)\w+\.dll$/, licence: 'wxWindows' },
  { name: 'testplug', files: /^testplug\.dll$/, licence: 'NOASSERTION' },
]

/**
 * The libraries in `native`, the folder of the engine's package, with their versions and files.
 *
 * @throws if a file belongs to no library that is known here, or does not say the version that it should.
 */
export function engineLibraries(native) {
  const found = new Map()
  for (const { name, file } of programFiles(native)) {
    const library = libraries.find(({ files }) => files.test(name))
    if (!library)
      throw new Error(
        `The embedded PostgreSQL carries ${name}: name its library in ${import.meta.filename}.`,
      )
    found.set(library, [...(found.get(library) ?? []), { name, file }])
  }
  return [...found].map(([library, files]) => {
    const version = versionOf(library, files)
    const { name, licence, notice, cpe } = library
    return {
      name,
      version,
      licence: typeof licence === 'string' ? licence : licence(version),
      notice,
      cpe,
      files: files.map((one) => one.name).toSorted(),
    }
  })
}

/** Modules that only PostgreSQL loads are its own: on Windows they are in lib, elsewhere in lib/postgresql. */
function programFiles(native) {
  return ['bin', 'lib'].flatMap((folder) =>
    readdirSync(join(native, folder))
      .map((name) => ({ name, file: join(native, folder, name) }))
      .filter(
        ({ name, file }) =>
          lstatSync(file).isFile() &&
          !/\.(a|lib|pc)$/.test(name) &&
          !(folder === 'lib' && name.endsWith('.dll')),
      ),
  )
}

function versionOf({ name, version, spell = (text) => text }, files) {
  if (!version) return undefined
  for (const { file } of files) {
    const said = version.exec(readFileSync(file, 'latin1'))
    if (said) return spell(said[1])
  }
  throw new Error(
    `No file of ${name} says its version: ${files.map((one) => one.name).join(', ')}.`,
  )
}
