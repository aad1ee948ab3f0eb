/**
 * Statements that let a transaction see and write the rows of a table that are of the school it names in
 * `psyflo.school`, all of them where it says that it is the station's own work (`psyflo.station`), and otherwise none.
 */
export const boundToItsSchool = (table: string): string => `
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
    CREATE POLICY own_school ON ${table} USING (school_id = nullif(current_setting('psyflo.school', true), '')
      OR current_setting('psyflo.station', true) = 'on');`
