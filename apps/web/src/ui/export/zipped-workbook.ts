import type { CsvValue } from '@tallyroom/domain/csv'
import { listWorkbook } from '@tallyroom/domain/workbook'
import { strToU8, zipSync } from 'fflate'

/** The lines of a list as an Excel file. Loaded when it is asked for. */
export const zippedWorkbook = (lines: readonly (readonly CsvValue[])[]): Uint8Array<ArrayBuffer> =>
  zipSync(
    Object.fromEntries(
      Object.entries(listWorkbook(lines)).map(([name, xml]) => [name, strToU8(xml)]),
    ),
  )
