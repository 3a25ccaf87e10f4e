import { PasswordText, type PasswordTextProps } from '../text/PasswordText.tsx'
import type { ListColumn } from './columns.ts'

type Shown = PasswordTextProps['of']

/**
 * The password of each row, unless the operator has turned that off. Assumed to be on while there are no rows. Not in the
 * CSV: passwords do not belong in a file on somebody’s disk.
 */
export const passwordColumns = <Row extends Shown>(
  rows: readonly Row[] = [],
  reveal: (row: Row) => ReturnType<PasswordTextProps['reveal']>,
): ListColumn<Row>[] =>
  rows.length === 0 ||
  rows.some(({ plainPassword, passwordHidden }) => passwordHidden || plainPassword !== undefined)
    ? [
        {
          id: 'password',
          header: 'Password',
          cell: (row) => <PasswordText of={row} reveal={() => reveal(row)} />,
        },
      ]
    : []
