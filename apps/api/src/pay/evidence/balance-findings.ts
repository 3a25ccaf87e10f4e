import type { DbOrTx } from '../../db/database.ts'
import { findInstalmentDifferences } from '../ledger/advances.queries.ts'
import type { Compared } from '../ledger/balances.queries.ts'
import { findGivenUpDifferences } from '../ledger/given-up.queries.ts'
import { findTaxEntryDifferences } from '../ledger/tax-rates.queries.ts'
import {
  findBalanceDifferences,
  findOrphans,
  findPaymentDifferences,
  findReturnDifferences,
} from './differences.queries.ts'
import { findApprovedEntryDifferences } from './verify-proposals.queries.ts'
import {
  findSettlementDifferences,
  findUnsettledEntries,
  findUnsettledLines,
} from './verify-settlements.queries.ts'

/**
 * Compares the entries of balances, and what they settle, with the statements, payment runs and proposals that made them: each
 * has its entries, and no entry has none.
 */
export async function balanceFindings(db: DbOrTx, compared: Compared): Promise<string[]> {
  return [
    ...(await findBalanceDifferences(db, compared)),
    ...(await findPaymentDifferences(db, compared)),
    ...(await findReturnDifferences(db, compared)),
    ...(await findInstalmentDifferences(db, compared)),
    ...(await findTaxEntryDifferences(db, compared)),
    ...(await findApprovedEntryDifferences(db, compared)),
    ...(await findGivenUpDifferences(db, compared)),
    ...(await findOrphans(db, compared)),
    ...(await settlementFindings(db, compared)),
  ]
}

/** Compares settlements with the payments and entries that made them. */
export async function settlementFindings(db: DbOrTx, compared: Compared): Promise<string[]> {
  return [
    ...(await findUnsettledLines(db, compared)),
    ...(await findUnsettledEntries(db, compared)),
    ...(await findSettlementDifferences(db, compared)),
  ]
}
