import type { Db, Tx } from '../../db/database.ts'
import { inSnapshot } from '../../db/transaction.ts'
import type { Pace, Reach } from '../../lib/log/progress.ts'
import { liftStatementTimeout } from '../../totals/index.ts'
import { type KnownSeal, type SealFindings, verifySeals } from '../../seals/index.ts'
import { type FigureFindings, verifyFigures } from './verify-figures.ts'
import { decisionFindings } from '../evidence/verify-decisions.ts'

/** What a verification found. */
export type PayFindings = FigureFindings & { seals: Omit<SealFindings, 'findings'> }

/** Verifies pay in one snapshot. @param known a seal that must still have its hash. */
export const verifyPay = (
  db: Db,
  { known, ...watching }: { known?: KnownSeal; reach?: Reach; pace?: Pace } = {},
): Promise<PayFindings> =>
  inSnapshot(db, async (tx) => {
    await liftStatementTimeout(tx)
    return verifyInside(tx, known, watching)
  })

/** Verifies the seals of what people decided, who decided it, and the figures that follow from it. */
export async function verifyInside(
  tx: Tx,
  known?: KnownSeal,
  watching: { reach?: Reach; pace?: Pace } = {},
): Promise<PayFindings> {
  const { findings: ofSeals, ...seals } = await verifySeals(tx, { most: MOST, known })
  const { findings: ofFigures, ...figures } = await verifyFigures(tx, MOST, watching)
  const findings = [...ofSeals, ...ofFigures, ...(await decisionFindings(tx, MOST))]
  return { findings, ...figures, seals }
}

/** How many findings of one kind are listed. */
const MOST = 100
