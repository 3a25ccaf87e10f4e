import type { Plugin } from 'vite'

/** `z.string().email()` and its like: superseded by `z.email()`, and every string brings all of them along. */
const oldFormats =
  /^ {4}\w+\(params\) \{\n *return this\.check\(core\._\w+\(Zod\w+, params\)\);\n {4}\},\n/gm

/**
 * Leaves out of the bundle what zod has for making JSON schemas and for checking formats in an old way, a third of
 * it: every schema refers to these, so that they do not go by themselves. The server makes the API's document; a
 * browser only parses. The linter refuses the old formats (`no-deprecated`).
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
        .replaceAll(oldFormats, '')
      if (
        /processors\.(?!aggregateChecks|js")|JSONSchemaMethod\(|core\._jwt\(ZodJWT, params\)\);/.test(
          parsing,
        )
      )
        this.error('zod’s schemas are written in another way: look at this plugin again')
      return { code: parsing, map: null }
    },
  },
})
