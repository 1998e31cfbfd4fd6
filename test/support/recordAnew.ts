/** Loaded before tests, it has `RecordedRecognitions` ask the models for everything, and keep their answers. */
process.env['DIALTREE_RECORD'] = '1';
