/**
 * A linter's plugin: below a transaction there is no clock, because all that one act writes has one instant (`tx.now`).
 *
 * A transaction is in scope wherever a variable or parameter is named `tx`, or its type is `Tx` or `DbOrTx`. There, nothing
 * may mention `clock`, neither read it nor hand it on; nor a variable that was read from it outside, before the transaction.
 */

const types = new Set(['Tx', 'DbOrTx'])

const isOfTransaction = ({ name, defs }) =>
  name === 'tx' ||
  defs.some(({ name: declared }) =>
    types.has(declared.typeAnnotation?.typeAnnotation.typeName?.name ?? ''),
  )

/** The name of the transaction that is in scope, looked for from the inside up to `end`, which is not searched. */
function transactionAround(scope, end = null) {
  for (let around = scope; around && around !== end; around = around.upper) {
    const found = around.variables.find(isOfTransaction)
    if (found) return found.name
  }
  return undefined
}

/** The expression that gets at the clock, `clock` or `services.clock`; null where the word only names a property. */
function whatReads(node) {
  const { parent } = node
  if (parent.type === 'MemberExpression' && parent.property === node && !parent.computed)
    return parent
  if (parent.type === 'Property' && parent.key === node) return null
  return parent.type.startsWith('TS') ? null : node
}

const instantOf = (tx) => (tx === 'tx' ? 'tx.now' : `nowOf(${tx})`)

const oneInstant = {
  meta: { type: 'problem', fixable: 'code', schema: [] },
  create: ({ sourceCode, report }) => ({
    Identifier(node) {
      if (node.name !== 'clock') return
      const read = whatReads(node)
      const tx = read && transactionAround(sourceCode.getScope(node))
      if (!tx) return
      report({
        node: read,
        message: `A transaction is in scope, so there is no clock: take ${instantOf(tx)}.`,
        fix: (fixer) => {
          const call = read.parent?.parent
          const isRead =
            tx === 'tx' &&
            read.parent?.type === 'MemberExpression' &&
            read.parent.object === read &&
            call?.type === 'CallExpression'
          return isRead ? fixer.replaceText(call, 'tx.now') : null
        },
      })
    },
    VariableDeclarator(node) {
      if (!node.init || !/^(new Date\()?[\w.]*\bclock\.now\(\)/.test(sourceCode.getText(node.init)))
        return
      for (const variable of sourceCode.getDeclaredVariables(node)) {
        for (const { identifier, from } of variable.references) {
          const tx = transactionAround(from, variable.scope)
          if (!tx) continue
          report({
            node: identifier,
            message: `It was read from the clock before the transaction: take ${instantOf(tx)}.`,
          })
        }
      }
    },
  }),
}

export default { meta: { name: 'tallyroom' }, rules: { 'one-instant': oneInstant } }
