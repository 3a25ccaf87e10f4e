import { z } from 'zod'

export const separators = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const

/** What a file with a table was recognised as: an Excel workbook, or text with an encoding and a separator. */
export const tableFormats = [
  z.object({
    kind: z.literal('text'),
    encoding: z.enum(['UTF-8', 'UTF-16', 'Windows-1252']),
    separator: z.enum(Object.keys(separators) as (keyof typeof separators)[]),
  }),
  z.object({ kind: z.literal('xlsx'), sheet: z.string() }),
] as const
export type TableFormat = z.infer<(typeof tableFormats)[number]>
