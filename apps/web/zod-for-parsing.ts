import type { Plugin } from 'vite'

/**
 * Leaves out of the bundle what zod has for making JSON schemas, a fifth of it: every schema refers to it, so
 * that it does not go by itself. The server makes the API's document; a browser only parses.
 */
export const zodForParsing = (): Plugin => ({
  name: 'zod-for-parsing',
  apply: 'build',
  transform: {
    filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
    handler(code) {
      const parsing = code
        .replaceAll(/^ *inst\._zod\.processJSONSchema = .*;$/gm, '')
        .replaceAll(/createToJSONSchemaMethod\(this, \{\}\)\(params\)/g, '{}')
        .replaceAll(/createStandardJSONSchemaMethod\(this, "(in|out)put"\)/g, 'undefined')
      if (/processors\.(?!aggregateChecks|js")|JSONSchemaMethod\(/.test(parsing))
        this.error('zod’s schemas refer to JSON schemas in another way: look at this plugin again')
      return { code: parsing, map: null }
    },
  },
})
