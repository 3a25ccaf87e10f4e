import { openPublicNames } from '../apps/api/test/public-names.ts'

// Loaded into the server before its own program.
openPublicNames()
