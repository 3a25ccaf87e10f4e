import { lazy, Suspense } from 'react'
import { useIsProofAsked } from '../lib/proof.ts'

const ProofDialog = lazy(() => import('./ProofDialog.tsx'))

/** Shows the one dialog that asks for the password again, whichever call needs it. Mounted once, at the root. */
export function ProofHost() {
  const isAsked = useIsProofAsked()
  return <Suspense>{isAsked && <ProofDialog />}</Suspense>
}
