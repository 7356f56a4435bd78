/** Where the settings that are changed for a moment are written down. Apart, so that looking there loads nothing. */
export const BORROWED_SETTINGS = 'devdb.borrowedSettings';
