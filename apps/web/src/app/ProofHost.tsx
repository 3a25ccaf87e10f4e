import { lazy, Suspense } from 'react'
import { useQuestion } from '../lib/proof.ts'

const ProofDialog = lazy(() => import('./ProofDialog.tsx'))
const FactorDialog = lazy(() => import('./FactorDialog.tsx'))

/** Shows the one dialog that asks for the password again, or for the second factor, whichever call needs it. Mounted once, at the root. */
export function ProofHost() {
  const asked = useQuestion()
  if (!asked) return null
  const { id, question } = asked
  return (
    <Suspense>
      {question === 'password' ? <ProofDialog key={id} /> : <FactorDialog key={id} {...question} />}
    </Suspense>
  )
}
