-- Where points have ended, the figures are counted again.
UPDATE figures SET phase = 'clearing', writes = writes + 1
    WHERE EXISTS (SELECT 1 FROM lot_changes WHERE lot_changes.tenant_id = figures.tenant_id);
