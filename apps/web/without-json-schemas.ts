import type { Plugin } from 'vite'

/** Leaves out of zod what turns schemas into JSON Schema, which is for the server's API document alone: each schema refers to it. */
export function withoutJsonSchemas(): Plugin {
  let count = 0
  return {
    name: 'without-json-schemas',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/ },
      handler(code) {
        count++
        const names = [...code.matchAll(/^export (?:function|const) (\w+)/gm)].map(
          ([, name = '']) => name,
        )
        const others = [...code.matchAll(/^export \{ \w+ as (\w+) \};$/gm)].map(
          ([, name = '']) => name,
        )
        if (names.length === 0) this.error('zod is built otherwise: nothing to leave out')
        const lines = names.map((name) => `export const ${name} = () => undefined`)
        const aliases = others.map((name) => `export { ${names[0]} as ${name} }`)
        return { code: [...lines, ...aliases].join('\n'), map: null }
      },
    },
    buildEnd(error) {
      if (!error && count !== 2)
        this.error(`zod has ${count} of the two files that make JSON Schema: nothing to leave out`)
    },
  }
}
