import { moneyText } from '@tallyroom/contract/pay/statements/statement-sections'
import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import type { TaxQuarter } from '@tallyroom/contract/pay/books/withholding'
import { rangeInWords } from '@tallyroom/domain/periods'
import { daysOfQuarter } from '@tallyroom/domain/quarters'
import { useQuery } from '@tanstack/react-query'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { CertificateButton } from './CertificateButton.tsx'
import classes from '../pay.module.css'
import { taxCertificatesQuery } from './withholding.api.ts'

/** The quarters in which tax was withheld of a payee, each with its certificate. */
export function TaxCertificates({ payee }: { payee: Payee }) {
  const { data } = useQuery(taxCertificatesQuery(payee))
  if (!data || data.length === 0) return null
  return (
    <section className={classes.section}>
      <h3>Tax certificates</h3>
      <PlainTable
        cards
        label="Tax certificates"
        columns={[
          {
            header: 'Quarter',
            cell: ({ quarter, isComplete }: TaxQuarter) => (
              <>
                {rangeInWords(daysOfQuarter(quarter))}
                {!isComplete && <div className={classes.dim}>Not final yet</div>}
              </>
            ),
          },
          {
            header: 'Earned',
            numeric: true,
            cell: ({ lines }: TaxQuarter) => sums(lines, 'base'),
          },
          {
            header: 'Tax withheld',
            numeric: true,
            cell: ({ lines }: TaxQuarter) => sums(lines, 'withheld'),
          },
          {
            header: 'Certificate',
            cell: ({ quarter }: TaxQuarter) => (
              <CertificateButton payee={payee} quarter={quarter} />
            ),
          },
        ]}
        rows={data}
        rowKey={({ quarter }) => quarter}
      />
    </section>
  )
}

/** A figure of each line: of each code and currency. */
const sums = (lines: TaxQuarter['lines'], of: 'base' | 'withheld') =>
  lines.map((line) => (
    <div key={`${line.code} ${line.currency}`}>
      {moneyText(line[of], line.currency)}
      {lines.length > 1 && <span className={classes.dim}> {line.code}</span>}
    </div>
  ))
